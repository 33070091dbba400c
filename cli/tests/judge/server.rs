//! A server that speaks Ollama's protocol, or breaks it as it is told.

use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How it answers a call.
#[derive(Debug, Clone)]
pub(crate) enum Play {
    /// The model says this.
    Says(String),
    /// The model says this, unless a schema is asked for.
    NothingUnderSchema(String),
    /// A status and a body.
    Answers(u16, String),
    /// Another address is named.
    Redirects(String),
    /// A byte now and then, for ever.
    Drips,
    /// Megabytes.
    Floods,
    /// The connection ends in the middle of the answer.
    Cuts,
    /// The connection ends before an answer.
    Leaves,
    /// Nothing is ever said.
    IsSilent,
}

/// One call that was made.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) path: String,
    pub(crate) body: Value,
}

/// The server; it ends with the test's process.
#[derive(Debug)]
pub(crate) struct Server {
    port: u16,
    calls: Receiver<Call>,
}

impl Server {
    pub(crate) fn new(play: Play) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, calls) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (play, tell) = (play.clone(), tell.clone());
                std::thread::spawn(move || {
                    let Some(call) = read(&stream) else { return };
                    let _ = tell.send(call.clone());
                    // A client that has enough leaves.
                    let _ = serve(&stream, &play, &call);
                });
            }
        });
        Self { port, calls }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The calls so far.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.try_iter().collect()
    }

    /// The calls to the model so far.
    pub(crate) fn questions(&self) -> Vec<Call> {
        let mut calls = self.calls();
        calls.retain(|call| call.path != "/api/tags");
        calls
    }
}

fn read(mut stream: &TcpStream) -> Option<Call> {
    let mut seen = Vec::new();
    let mut byte = [0];
    while !seen.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        seen.push(byte[0]);
    }
    let head = String::from_utf8(seen).ok()?.to_lowercase();
    let length = head
        .lines()
        .find_map(|l| l.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |l| l.trim().parse().unwrap())];
    stream.read_exact(&mut body).ok()?;
    Some(Call {
        path: head.split(' ').nth(1)?.to_owned(),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

fn serve(mut stream: &TcpStream, play: &Play, call: &Call) -> std::io::Result<()> {
    if call.path == "/api/tags" && matches!(play, Play::Says(_) | Play::NothingUnderSchema(_)) {
        let model = json!({"name": "judge:1b", "digest": "0123abcd"});
        return answer(stream, 200, &json!({"models": [model]}).to_string());
    }
    match play {
        Play::Says(text) => answer(stream, 200, &said(call, text)),
        Play::NothingUnderSchema(text) => {
            let schema = call.body.get("format").is_some();
            answer(stream, 200, &said(call, if schema { "" } else { text }))
        }
        Play::Answers(status, body) => answer(stream, *status, body),
        Play::Redirects(to) => {
            write!(
                stream,
                "HTTP/1.1 307 Go\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n"
            )
        }
        Play::Drips => {
            write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")?;
            loop {
                stream.write_all(b" ")?;
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        Play::Floods => {
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n"
            )?;
            loop {
                stream.write_all(&[b' '; 65_536])?;
            }
        }
        Play::Cuts => {
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{{\"resp"
            )?;
            stream.shutdown(Shutdown::Both)
        }
        Play::Leaves => stream.shutdown(Shutdown::Both),
        Play::IsSilent => {
            std::thread::sleep(Duration::from_secs(60));
            Ok(())
        }
    }
}

/// A reply in the shape of the protocol that was spoken.
fn said(call: &Call, text: &str) -> String {
    if call.path.starts_with("/v1/") {
        let message = json!({"message": {"role": "assistant", "content": text}});
        let usage = json!({"prompt_tokens": 12, "completion_tokens": 34});
        return json!({"choices": [message], "usage": usage}).to_string();
    }
    json!({"model": "judge:1b", "response": text, "done": true,
        "prompt_eval_count": 12, "eval_count": 34})
    .to_string()
}

fn answer(mut stream: &TcpStream, status: u16, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} As told\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}
