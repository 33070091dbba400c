//! The judge, end to end: hooks, service, and a server that speaks Ollama's
//! protocol over HTTP (`spec/judge.md`). Tests named `req_vg_…` carry the numbers of
//! the requirements of the validation gate whose behaviour the judge contains.

mod command;
mod outage;
mod server;
mod trail;

use crate::world::World;
use serde_json::{Value, json};
use server::{Play, Server};
use std::cell::Cell;
use std::fs;

const CLAIM: &str = "Fixed the parser. Everything is verified and done.";

/// A project with a judge, and a session in it.
struct Judged {
    world: World,
    server: Server,
    edits: Cell<usize>,
}

impl Judged {
    /// With a judge that plays so, and these further lines of its table.
    fn new(play: Play, table: &str) -> Self {
        let judged = Self::unset(play);
        let url = judged.server.url("/api/generate");
        judged.table(&format!("url = \"{url}\"\nmodel = \"judge:1b\"\n{table}"));
        judged
    }

    /// Without a judge's table.
    fn unset(play: Play) -> Self {
        Self {
            world: World::new(),
            server: Server::new(play),
            edits: Cell::new(0),
        }
    }

    fn table(&self, table: &str) {
        let file = self.world.home().join("receipt.toml");
        fs::write(file, format!("[judge]\n{table}\n")).unwrap();
    }

    fn event(&self, mut payload: Value) -> String {
        payload["session_id"] = "s".into();
        payload["cwd"] = json!(self.world.project());
        self.world.event(&payload)
    }

    /// A prompt, and an edit too small for other gates.
    fn work(&self) {
        self.event(json!({"hook_event_name": "UserPromptSubmit", "prompt": "Fix the parser"}));
        let number = self.edits.replace(self.edits.get() + 1);
        let name = format!("parser-{number}.py");
        let path = self.world.project().join(&name);
        let text = "x = 1\ny = 2\n";
        let mut call = json!({"hook_event_name": "PreToolUse", "tool_name": "Write",
            "tool_use_id": name, "tool_input": {"file_path": path, "content": text}});
        self.event(call.clone());
        self.world.write(&name, text);
        call["hook_event_name"] = "PostToolUse".into();
        call["tool_response"] = json!({"type": "create", "filePath": path,
            "content": text, "originalFile": null, "structuredPatch": []});
        self.event(call);
    }

    fn stop(&self, message: &str, active: bool) -> Value {
        let answer = self.event(json!({"hook_event_name": "Stop",
            "stop_hook_active": active, "last_assistant_message": message}));
        serde_json::from_str(&answer).unwrap_or_default()
    }

    /// Work, and a stop that claims to be finished.
    fn claims(&self) -> Value {
        self.work();
        self.stop(CLAIM, false)
    }

    /// What the newest record of that kind holds.
    fn newest(&self, kind: &str) -> Option<Value> {
        let records = self.world.records();
        let mut found = records.into_iter().filter(|r| r["kind"] == kind);
        found.next_back()
    }

    fn judgement(&self) -> Value {
        let record = self.newest("judgement").expect("no judgement");
        record["body"]["facts"]["obs"][0]["judged"].clone()
    }

    fn verdict(&self) -> Value {
        self.newest("verdict-stop").unwrap()["body"]["facts"]["verdict"].clone()
    }
}

fn says(verdict: &str) -> Play {
    let reply = json!({"verdict": verdict, "reason": "no run of the parser is shown",
        "missing_evidence": "a run"});
    Play::Says(reply.to_string())
}

fn notice(answer: &Value) -> &str {
    answer["systemMessage"].as_str().unwrap_or_default()
}

#[test]
fn req_vg_001_and_002_a_stop_that_sounds_finished_is_judged() {
    let judged = Judged::new(says("FAIL"), "");
    let answer = judged.claims();
    assert_eq!(answer["decision"], Value::Null, "it advises by default");
    let seq = judged.newest("judgement").unwrap()["seq"].clone();
    let wanted = format!(
        "receipt: stop allowed; advice: the judge `judge:1b` does not find the final message \
         borne out (#{seq}): \"no run of the parser is shown\"."
    );
    assert_eq!(notice(&answer), wanted);
    let said = judged.judgement();
    assert_eq!(said["verdict"], "fail");
    assert_eq!(said["digest"], "0123abcd");
    assert_eq!((&said["asked"], &said["said"]), (&json!(12), &json!(34)));
    let verdict = judged.verdict();
    assert_eq!(
        (&verdict["verdict"], &verdict["basis"]),
        (&json!("pass"), &json!("small"))
    );
    assert_eq!(verdict["findings"][0]["severity"], "advice");
}

#[test]
fn req_vg_003_without_completion_language_nobody_is_asked() {
    let judged = Judged::new(says("FAIL"), "");
    judged.work();
    assert_eq!(
        judged.stop("I changed two lines of the parser.", false),
        Value::Null
    );
    assert!(judged.server.calls().is_empty());
    assert!(judged.newest("judgement").is_none());
}

#[test]
fn req_vg_004_the_evidence_is_what_the_ledger_has_within_bounds() {
    let judged = Judged::new(says("PASS"), "");
    judged.work();
    for n in 0..60 {
        let mut call = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_use_id": format!("b{n}"), "tool_input": {"command": format!("cat part-{n}")}});
        judged.event(call.clone());
        call["hook_event_name"] = "PostToolUse".into();
        call["tool_response"] = json!({"stdout": "word ".repeat(500), "stderr": ""});
        judged.event(call);
    }
    judged.stop(CLAIM, false);
    let questions = judged.server.questions();
    let prompt = questions[0].body["prompt"].as_str().unwrap();
    let data = prompt.lines().filter(|l| l.starts_with("| "));
    let (claim, context): (Vec<&str>, Vec<&str>) = data.partition(|l| l.contains(CLAIM));
    assert_eq!(claim.len(), 1);
    let size: usize = context.iter().map(|l| l.chars().count() - 2).sum();
    assert!((5_000..=8_000).contains(&size), "{size}");
    assert!(
        context[0].contains("No check was run in this turn."),
        "{}",
        context[0]
    );
    assert!(prompt.contains("`cat part-59`") && !prompt.contains("`cat part-30`"));
}

#[test]
fn req_vg_005_the_model_is_told_to_disprove() {
    let judged = Judged::new(says("PASS"), "keep_alive = \"5m\"");
    judged.claims();
    let questions = judged.server.questions();
    let body = &questions[0].body;
    let prompt = body["prompt"].as_str().unwrap();
    assert!(
        prompt.contains("Try to disprove the final message"),
        "{prompt}"
    );
    assert_eq!(
        (&body["stream"], &body["think"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(
        (&body["model"], &body["keep_alive"]),
        (&json!("judge:1b"), &json!("5m"))
    );
    assert_eq!(body["options"]["num_ctx"], 8_192);
    assert_eq!(
        body["format"]["properties"]["verdict"]["enum"],
        json!(["PASS", "FAIL"])
    );
}

#[test]
fn req_vg_006_and_007_only_a_clear_fail_blocks() {
    let table = "mode = \"block\"";
    let judged = Judged::new(says("FAIL"), table);
    let answer = judged.claims();
    assert_eq!(answer["decision"], "block");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("no run of the parser is shown"), "{reason}");
    let replies = [
        "<think>It may FAIL</think>```json\n{\"verdict\":\"PASS\"}\n```",
        "",
        "FAIL",
        "{\"verdict\":\"FA",
        "{\"verdict\":\"FAIL\"}{\"verdict\":\"PASS\"}",
        "[\"FAIL\"]",
        "I cannot judge this.",
    ];
    for reply in replies {
        let judged = Judged::new(Play::Says(reply.to_owned()), table);
        let answer = judged.claims();
        assert_eq!(answer["decision"], Value::Null, "{reply}");
        let wanted = if reply.contains("PASS\"}\n") {
            "pass"
        } else {
            "unparseable"
        };
        assert_eq!(judged.judgement()["verdict"], wanted, "{reply}");
        assert_eq!(judged.verdict()["verdict"], "pass");
    }
}

#[test]
fn req_vg_007_no_outage_blocks() {
    let no_model = "{\"error\":\"model 'judge:1b' not found\"}";
    let plays = [
        (Play::Answers(404, no_model.to_owned()), "no-model"),
        (Play::Answers(404, String::new()), "status"),
        (
            Play::Answers(500, "{\"response\":\"{}\"}".to_owned()),
            "status",
        ),
        (Play::Answers(200, "no JSON".to_owned()), "broken"),
        (Play::Answers(200, "{\"other\":1}".to_owned()), "broken"),
        (Play::Answers(200, "[]".to_owned()), "broken"),
        (Play::Redirects("http://127.0.0.1:1/".to_owned()), "status"),
        (Play::Drips, "time"),
        (Play::IsSilent, "time"),
        (Play::Floods, "too-large"),
        (Play::Cuts, "broken"),
        (Play::Leaves, "broken"),
    ];
    for (play, why) in plays {
        let judged = Judged::new(play.clone(), "mode = \"block\"\ntimeout_s = 1");
        let answer = judged.claims();
        assert_eq!(answer["decision"], Value::Null, "{play:?}");
        assert!(
            notice(&answer).contains("gave no verdict"),
            "{play:?}: {answer}"
        );
        let said = judged.judgement();
        assert_eq!(
            (&said["verdict"], &said["why"]),
            (&json!("error"), &json!(why)),
            "{play:?}"
        );
    }
}

#[test]
fn req_vg_008_a_stop_that_a_hook_had_blocked_passes() {
    let judged = Judged::new(says("FAIL"), "mode = \"block\"");
    judged.work();
    assert_eq!(judged.stop(CLAIM, true), Value::Null);
    assert!(judged.server.calls().is_empty());
}

#[test]
fn the_model_is_asked_once_more_without_a_schema() {
    let reply = "{\"verdict\":\"FAIL\",\"reason\":\"r\"}".to_owned();
    let judged = Judged::new(Play::NothingUnderSchema(reply), "mode = \"block\"");
    assert_eq!(judged.claims()["decision"], "block");
    let questions = judged.server.questions();
    assert_eq!(questions.len(), 2);
    assert!(questions[1].body.get("format").is_none());
}

#[test]
fn an_openai_server_is_asked_in_its_own_words() {
    let judged = Judged::unset(says("FAIL"));
    let url = judged.server.url("/v1/chat/completions");
    judged.table(&format!(
        "api = \"openai\"\nurl = \"{url}\"\nmodel = \"judge:1b\"\nmode = \"block\""
    ));
    assert_eq!(judged.claims()["decision"], "block");
    let questions = judged.server.questions();
    assert_eq!(questions[0].path, "/v1/chat/completions");
    let body = &questions[0].body;
    assert_eq!(body["messages"][0]["role"], "user");
    assert_eq!(body["response_format"]["type"], "json_schema");
    assert_eq!(judged.judgement()["said"], 34);
}

#[test]
fn another_machine_is_not_asked_unless_that_is_allowed() {
    let judged = Judged::unset(says("FAIL"));
    judged.table("url = \"http://192.0.2.1:11434/api/generate\"");
    judged.claims();
    assert_eq!(judged.judgement()["why"], "remote");
}

#[test]
fn a_turn_that_is_refused_anyway_or_changed_nothing_is_not_judged() {
    let judged = Judged::new(says("FAIL"), "mode = \"block\"");
    judged.event(json!({"hook_event_name": "UserPromptSubmit", "prompt": "Say hello"}));
    assert_eq!(judged.stop(CLAIM, false), Value::Null);
    judged.work();
    let mut call = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": "t", "tool_input": {"command": "pytest -q"}});
    judged.event(call.clone());
    call["hook_event_name"] = "PostToolUseFailure".into();
    call["error"] = "Exit code 1\n1 failed in 0.01s".into();
    judged.event(call);
    let answer = judged.stop(CLAIM, false);
    assert!(
        answer["reason"].as_str().unwrap().contains("exited 1"),
        "{answer}"
    );
    assert!(judged.server.calls().is_empty());
}

#[test]
fn without_its_table_there_is_no_judge() {
    let judged = Judged::unset(says("FAIL"));
    assert_eq!(judged.claims(), Value::Null);
    assert!(judged.newest("judgement").is_none());
}

#[test]
fn a_receipt_with_a_judgement_verifies_without_a_model() {
    let judged = Judged::new(says("FAIL"), "mode = \"block\"");
    judged.claims();
    let ran = judged.world.export_and_verify();
    assert_eq!(ran.code, 10, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("BLOCKED"), "{}", ran.out);
    let seq = judged.newest("judgement").unwrap()["seq"].as_u64().unwrap();
    judged.forged(seq);
    judged.world.audit();
}

impl Judged {
    /// A receipt in which the judge said PASS is refused.
    fn forged(&self, seq: u64) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("receipt.json");
        let ran = self
            .world
            .receipt(&["export", "-o", file.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let signers = self
            .world
            .receipt(&["key", "show", "--format", "allowed-signers"]);
        fs::write(folder.path().join("allowed_signers"), signers.out).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let forged = text.replace(
            "\\\"verdict\\\":\\\"fail\\\"",
            "\\\"verdict\\\":\\\"pass\\\"",
        );
        assert_ne!(forged, text, "no such fact of record {seq}");
        fs::write(&file, forged).unwrap();
        let ran = crate::world::verify(folder.path());
        assert_eq!(ran.code, 40, "{}{}", ran.out, ran.err);
    }
}
