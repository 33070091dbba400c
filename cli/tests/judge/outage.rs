//! A judge that gives no answer.

use super::server::Play;
use super::{CLAIM, Judged, notice, says};
use serde_json::{Value, json};
use std::time::Instant;

#[test]
fn where_nothing_listens_a_stop_is_as_quick() {
    let judged = Judged::unset(says("FAIL"));
    judged.table("url = \"http://127.0.0.1:1/api/generate\"\ntimeout_s = 30");
    judged.work();
    let begun = Instant::now();
    let answer = judged.stop(CLAIM, false);
    // Far below the time that it had; the figure itself is the benchmark's.
    assert!(begun.elapsed().as_secs() < 10);
    assert_eq!(judged.judgement()["why"], "unreachable");
    assert!(
        notice(&answer).contains("nothing answers at its address"),
        "{answer}"
    );
}

#[test]
fn an_outage_is_told_once_and_the_judge_left_alone() {
    let judged = Judged::new(Play::Answers(500, String::new()), "");
    assert!(notice(&judged.claims()).contains("gave no verdict"));
    assert_eq!(judged.claims(), Value::Null);
    assert_eq!(judged.judgement()["why"], "backing-off");
    assert_eq!(judged.server.questions().len(), 1);
    assert_eq!(judged.newest("judgement").unwrap()["kind"], "judgement");
}

#[test]
fn strict_blocks_on_an_outage_in_mode_block_alone() {
    for (mode, decision) in [("block", json!("block")), ("advise", Value::Null)] {
        let table = format!("mode = \"{mode}\"\nstrict = true");
        let judged = Judged::new(Play::Answers(500, String::new()), &table);
        assert_eq!(judged.claims()["decision"], decision, "{mode}");
    }
}

#[test]
fn a_model_that_was_cut_off_gives_no_verdict() {
    for text in ["", "{\"verdict\": \"FA"] {
        let body = json!({"response": text, "thinking": "Let me see", "done": true,
            "done_reason": "length", "eval_count": 512});
        let judged = Judged::new(Play::Answers(200, body.to_string()), "mode = \"block\"");
        let answer = judged.claims();
        assert_eq!(answer["decision"], Value::Null);
        assert_eq!(judged.judgement()["why"], "cut");
        assert!(
            notice(&answer).contains("by its context or by the limit"),
            "{answer}"
        );
    }
}
