//! Many writers at once, each waiting for its record to be durable: the service,
//! a plain file, and SQLite, doing the same work in turns.

use crate::payload::Session;
use crate::world::World;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Writers at once.
const WRITERS: [usize; 3] = [1, 16, 64];

/// Records of a round, all writers together.
const RECORDS: usize = 1_280;

const ROUNDS: usize = 7;

/// Size of a record.
const SIZE: usize = 10_000;

const NAMES: [&str; 3] = [
    "a plain file: O_APPEND, fdatasync",
    "SQLite: WAL, synchronous=FULL",
    "the service: sealed, signed, chained, folded",
];

/// One round of one of them.
#[derive(Debug, Default)]
struct Round {
    /// Records a second.
    rate: f64,
    /// Milliseconds until each record was acknowledged.
    waits: Vec<f64>,
}

/// The section.
pub fn run() {
    for writers in WRITERS {
        let world = World::new();
        let folder = world.bare_folder();
        let hook = world.hook(&folder);
        hook.cost(&world.session("warm", &folder).start());
        let mut rounds: [Vec<Round>; 3] = Default::default();
        for number in 0..ROUNDS {
            let payload = |writer, n| payload(&world, (number, writer, n));
            let payloads: Vec<Vec<Vec<u8>>> = (0..writers)
                .map(|writer| (0..RECORDS / writers).map(|n| payload(writer, n)).collect())
                .collect();
            rounds[0].push(together(&payloads, |_, payloads| {
                plain(&world.path("plain"), payloads)
            }));
            rounds[1].extend(sqlite(&world, &payloads));
            let socket = socket(&world);
            rounds[2].push(together(&payloads, |writer, payloads| {
                service(&socket, (number, writer), payloads)
            }));
        }
        print(writers, &rounds);
    }
}

/// The result of a tool, of a session for each writer.
fn payload(world: &World, (round, writer, n): (usize, usize, usize)) -> Vec<u8> {
    let folder = world.path("payloads");
    let transcript = world.path("transcript.jsonl");
    let id = format!("{round}-{writer}-{n}");
    let mut session = Session::new(&id, world.path("").as_path(), &transcript, &folder);
    let payload = std::fs::read_to_string(&session.read(SIZE)[1]).unwrap();
    std::fs::remove_dir_all(folder.join(&id)).unwrap();
    let payload = payload.replace(&format!("\"{id}\""), &format!("\"{round}-{writer}\""));
    payload
        .replace("toolu_", &format!("toolu_{n}_"))
        .into_bytes()
}

/// One thread for each writer, begun together.
fn together(
    payloads: &[Vec<Vec<u8>>],
    write: impl Fn(usize, &[Vec<u8>]) -> Vec<f64> + Sync,
) -> Round {
    let begun = Instant::now();
    let waits: Vec<f64> = std::thread::scope(|scope| {
        let write = &write;
        let start = |(writer, payloads): (usize, &Vec<Vec<u8>>)| {
            let payloads: Vec<Vec<u8>> = payloads.clone();
            scope.spawn(move || write(writer, &payloads))
        };
        let threads: Vec<_> = payloads.iter().enumerate().map(start).collect();
        threads
            .into_iter()
            .flat_map(|t| t.join().unwrap())
            .collect()
    });
    Round {
        rate: waits.len() as f64 / begun.elapsed().as_secs_f64(),
        waits,
    }
}

fn timed(mut act: impl FnMut()) -> f64 {
    let begun = Instant::now();
    act();
    begun.elapsed().as_secs_f64() * 1e3
}

fn plain(path: &Path, payloads: &[Vec<u8>]) -> Vec<f64> {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .unwrap();
    let append = |payload: &Vec<u8>| {
        timed(|| {
            file.write_all(payload).unwrap();
            file.sync_data().unwrap();
        })
    };
    payloads.iter().map(append).collect()
}

/// A process of its own for each writer, as SQLite is used. It gets its payloads
/// as a file of lines, says that it is ready, and begins when it is told to.
const SQLITE: &str = "
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=120)
db.execute('PRAGMA journal_mode=WAL'); db.execute('PRAGMA synchronous=FULL')
db.execute('CREATE TABLE IF NOT EXISTS log(seq INTEGER PRIMARY KEY, body BLOB)')
lines = open(sys.argv[2], 'rb').read().splitlines()
print('ready', flush=True)
sys.stdin.readline()
for line in lines:
    begun = time.perf_counter()
    db.execute('INSERT INTO log(body) VALUES (?)', (line,))
    print((time.perf_counter() - begun) * 1e3)
";

/// Nothing where there is no Python with SQLite.
fn sqlite(world: &World, payloads: &[Vec<Vec<u8>>]) -> Option<Round> {
    let database = world.path("sqlite.db");
    let start = |(writer, payloads): (usize, &Vec<Vec<u8>>)| {
        let lines = world.path(&format!("lines-{writer}"));
        std::fs::write(&lines, payloads.join(&b'\n')).unwrap();
        let mut command = Command::new("python3");
        command.args(["-c", SQLITE]).args([&database, &lines]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().ok()?;
        let mut said = BufReader::new(child.stdout.take()?);
        let mut ready = String::new();
        said.read_line(&mut ready).ok()?;
        (ready == "ready\n").then_some((child, said))
    };
    let writers = payloads.iter().enumerate().map(start);
    let mut writers: Vec<(Child, BufReader<_>)> = writers.collect::<Option<_>>()?;
    let begun = Instant::now();
    for (child, _) in &mut writers {
        child.stdin.take()?.write_all(b"go\n").ok()?;
    }
    let mut waits = Vec::new();
    for (mut child, mut said) in writers {
        let mut text = String::new();
        said.read_to_string(&mut text).ok()?;
        assert!(child.wait().unwrap().success());
        waits.extend(text.lines().map(|line| line.parse::<f64>().unwrap()));
    }
    Some(Round {
        rate: waits.len() as f64 / begun.elapsed().as_secs_f64(),
        waits,
    })
}

fn socket(world: &World) -> PathBuf {
    let mut names = std::fs::read_dir(world.home().join("run")).unwrap();
    let socket = |path: &PathBuf| path.extension().is_some_and(|e| e == "sock");
    names
        .find_map(|n| Some(n.unwrap().path()).filter(socket))
        .unwrap()
}

/// As hooks do it: a connection for each event, greeted (`spec/hook.md`).
fn service(socket: &Path, place: (usize, usize), payloads: &[Vec<u8>]) -> Vec<f64> {
    let send = |(n, payload): (usize, &Vec<u8>)| {
        let event = event((place.0 << 40 | place.1 << 20 | n) as u128, payload);
        timed(|| {
            let mut stream = UnixStream::connect(socket).unwrap();
            stream.write_all(&event).unwrap();
            let mut answer = [0; 24];
            stream.read_exact(&mut answer).unwrap();
            assert_eq!(answer[20..], [0; 4], "done");
        })
    };
    payloads.iter().enumerate().map(send).collect()
}

/// A greeting, and a frame with an event.
fn event(id: u128, payload: &[u8]) -> Vec<u8> {
    let mut body = vec![0, 0, 0, 0, 1, 0];
    let mut text = |bytes: &[u8]| {
        body.extend((bytes.len() as u64).to_le_bytes());
        body.extend_from_slice(bytes);
    };
    text(b"claude-code");
    body.extend(id.to_le_bytes());
    // When, who, no worktree, no transcript, not cut, nothing redacted.
    body.extend([0; 8 + 4 + 4 + 1 + 1 + 1 + 8]);
    body.extend((payload.len() as u64).to_le_bytes());
    body.extend_from_slice(payload);
    // No folder of the user, no settings with hooks.
    body.extend([0; 1 + 8]);
    let length = u32::try_from(body.len()).unwrap().to_le_bytes();
    [b"receipt\0\x01\0\0\0\x01\0\0\0", &length[..], &body].concat()
}

fn median(mut values: Vec<f64>, quantile: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let rank = (quantile * values.len() as f64).ceil() as usize;
    values
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or(f64::NAN)
}

fn print(writers: usize, rounds: &[Vec<Round>; 3]) {
    println!("\n{writers} writers, records of 10 KB, each durable before the next");
    println!(
        "  {:<44} {:>9} {:>6} {:>8} {:>8} {:>6}",
        "", "records/s", "ratio", "median", "p99", "ratio"
    );
    let rate = |of: &[Round]| median(of.iter().map(|r| r.rate).collect(), 0.5);
    let wait = |of: &[Round], quantile| {
        let of_rounds = of.iter().map(|r| median(r.waits.clone(), quantile));
        median(of_rounds.collect(), 0.5)
    };
    for (name, of) in NAMES.iter().zip(rounds).filter(|(_, of)| !of.is_empty()) {
        println!(
            "  {name:<44} {:>9.0} {:>6.2} {:>8.2} {:>8.2} {:>6.2}",
            rate(of),
            rate(of) / rate(&rounds[0]),
            wait(of, 0.5),
            wait(of, 0.99),
            wait(of, 0.5) / wait(&rounds[0], 0.5)
        );
    }
}
