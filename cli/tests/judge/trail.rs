//! What the judge leaves behind, and hears, under the names of the validation
//! gate whose behaviour it contains.

use super::{CLAIM, Judged, says};
use crate::world::{answer, start};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

impl Judged {
    /// A stop whose hook has further variables.
    fn claims_with(&self, variables: &[(&str, &Path)]) -> Value {
        self.work();
        let mut command = self.world.command();
        command
            .args(["hook", "claude-code"])
            .envs(variables.iter().copied());
        let stop = json!({"hook_event_name": "Stop", "session_id": "s",
            "cwd": self.world.project(), "stop_hook_active": false,
            "last_assistant_message": CLAIM});
        let answer = answer(start(command, stop.to_string().as_bytes()));
        serde_json::from_str(&answer).unwrap_or_default()
    }
}

#[test]
fn req_vg_009_each_judgement_leaves_a_file_and_a_line() {
    let judged = Judged::new(says("FAIL"), "");
    let (folder, log) = (judged.world.path("verdicts"), judged.world.path("gate.log"));
    let notify = judged.world.path("notify");
    fs::write(
        &notify,
        "#!/bin/sh\nprintf '%s|' \"$#\" \"$1\" > \"$(dirname \"$0\")/told\"\n",
    )
    .unwrap();
    fs::set_permissions(&notify, fs::Permissions::from_mode(0o755)).unwrap();
    judged.claims_with(&[
        ("VALIDATION_GATE_VERDICT_DIR", &folder),
        ("VALIDATION_GATE_LOG", &log),
        ("VALIDATION_GATE_NOTIFY", &notify),
    ]);
    let files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let name = files[0].file_name().unwrap().to_str().unwrap();
    assert!(
        name.starts_with("20") && name.ends_with("Z_s.json"),
        "{name}"
    );
    let entry: Value = serde_json::from_slice(&fs::read(&files[0]).unwrap()).unwrap();
    assert_eq!(entry["claim_excerpt"], CLAIM);
    assert_eq!(entry["verdict"]["verdict"], "FAIL");
    assert_eq!(entry["verdict"]["missing_evidence"], "a run");
    assert!(entry["verdict"]["latency_ms"].is_u64());
    let lines = fs::read_to_string(&log).unwrap();
    assert_eq!(serde_json::from_str::<Value>(lines.trim()).unwrap(), entry);
    let told = fs::read_to_string(judged.world.path("told")).unwrap();
    assert_eq!(told, "1|no run of the parser is shown|");
}

#[test]
fn req_vg_010_no_trail_changes_the_decision() {
    let judged = Judged::new(says("FAIL"), "mode = \"block\"");
    let file = judged.world.path("a-file");
    fs::write(&file, "").unwrap();
    let below = file.join("below");
    let answer = judged.claims_with(&[
        ("VALIDATION_GATE_VERDICT_DIR", &below),
        ("VALIDATION_GATE_LOG", judged.world.path("").as_path()),
        ("VALIDATION_GATE_NOTIFY", &below),
    ]);
    assert_eq!(answer["decision"], "block");
    // One that never ends is ended.
    let judged = Judged::new(says("FAIL"), "mode = \"block\"");
    let stuck = judged.world.path("stuck");
    fs::write(&stuck, "#!/bin/sh\nexec sleep 600\n").unwrap();
    fs::set_permissions(&stuck, fs::Permissions::from_mode(0o755)).unwrap();
    let answer = judged.claims_with(&[("VALIDATION_GATE_NOTIFY", &stuck)]);
    assert_eq!(answer["decision"], "block");
}

#[test]
fn req_vg_011_the_judge_needs_no_other_program() {
    let judged = Judged::new(says("FAIL"), "mode = \"block\"");
    let nowhere = judged.world.path("nowhere");
    assert_eq!(
        judged.claims_with(&[("PATH", &nowhere)])["decision"],
        "block"
    );
}

#[test]
fn the_seeds_variables_say_which_model_is_asked() {
    let judged = Judged::unset(says("PASS"));
    judged.table("");
    let url = judged.server.url("/api/generate");
    judged.claims_with(&[
        ("OLLAMA_URL", Path::new(&url)),
        ("OLLAMA_VERIFIER_MODEL", Path::new("other:2b")),
        ("OLLAMA_VERIFIER_KEEP_ALIVE", Path::new("1m")),
        ("OLLAMA_VERIFIER_TIMEOUT_S", Path::new("7.5")),
    ]);
    let body = judged.server.questions()[0].body.clone();
    assert_eq!(
        (&body["model"], &body["keep_alive"]),
        (&json!("other:2b"), &json!("1m"))
    );
    assert_eq!(judged.judgement()["verdict"], "pass");
}
