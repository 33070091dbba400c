//! What begins a turn, and what does not.

use super::{bash, read, result, short, user, with, words};
use serde_json::{Value, json};

#[test]
fn the_clients_own_words_are_no_prompts() {
    let notes = [
        with(
            user(json!("Stop hook feedback:\nnot verified")),
            "isMeta",
            json!(true),
        ),
        user(json!("Stop hook feedback:\nnot verified")),
        with(
            user(json!("Summary: all tests pass")),
            "isCompactSummary",
            json!(true),
        ),
        with(
            user(json!("This session is being continued")),
            "isVisibleInTranscriptOnly",
            json!(true),
        ),
        user(json!("<local-command-stdout>ok</local-command-stdout>")),
        user(json!("<bash-input>ls</bash-input>")),
        user(json!("<system-reminder>\nnote\n</system-reminder>")),
        with(
            user(json!("You are a subagent.")),
            "isSidechain",
            json!(true),
        ),
        json!({"type": "brand-new-type", "message": {"content": "x"}}),
        json!({"type": "summary", "summary": "Tests pass", "leafUuid": "u"}),
    ];
    let mut entries = vec![user(json!("Go.")), words("m1", "First.")];
    entries.extend(notes);
    entries.push(user(json!(
        "<task-notification>\n<status>failed</status>\n</task-notification>"
    )));
    entries.push(words("m2", "Last."));
    let turns = read(&entries);
    assert_eq!(turns.len(), 1);
    let turn = short(&turns[0]);
    assert_eq!(turn[0], "human: Go.");
    assert!(turn[1].starts_with("machine: <task-notification>"));
    assert_eq!(turn[2..], ["stop: Last."]);
}

#[test]
fn a_slash_command_is_a_prompt_if_the_model_saw_it() {
    let command = |name: &str, args: &str| {
        user(json!(format!(
            "<command-name>/{name}</command-name>\n<command-message>{name}</command-message>\n<command-args>{args}</command-args>"
        )))
    };
    let turns = read(&[
        with(
            user(json!(
                "<local-command-caveat>ran directly</local-command-caveat>"
            )),
            "isMeta",
            json!(true),
        ),
        command("compact", "keep names"),
        user(json!(
            "<local-command-stdout>Compacted</local-command-stdout>"
        )),
        command("clear", ""),
        json!({"type": "system", "subtype": "local_command", "content": "<local-command-stdout></local-command-stdout>"}),
        command("review", "calc.py"),
        with(
            user(json!([{"type": "text", "text": "Review calc.py."}])),
            "isMeta",
            json!(true),
        ),
        words("m1", "Reviewed."),
        command("init", ""),
        words("m2", "Ready."),
    ]);
    assert_eq!(
        short(&turns[0]),
        ["human: /review calc.py", "stop: Reviewed."]
    );
    assert_eq!(short(&turns[1]), ["human: /init", "stop: Ready."]);
    assert_eq!(turns.len(), 2);
}

#[test]
fn a_queued_prompt_begins_a_turn_but_ends_none_with_a_stop() {
    let queued = |prompt: Value, mode: &str| json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": prompt, "commandMode": mode}});
    let turns = read(&[
        user(json!("Go.")),
        bash("t1"),
        result("t1", "ok", false),
        queued(json!([{"type": "text", "text": "Also this."}]), "prompt"),
        queued(
            json!("<task-notification>done</task-notification>"),
            "task-notification",
        ),
        words("m2", "Both done."),
        bash("t2"),
        user(
            json!([{"type": "tool_result", "tool_use_id": "t2", "content": "ok"}, {"type": "text", "text": "And that."}]),
        ),
        words("m3", "All done."),
    ]);
    assert_eq!(
        short(&turns[0]),
        ["human: Go.", "tool-requested", "tool-succeeded"]
    );
    assert_eq!(
        short(&turns[1]),
        [
            "human: Also this.",
            "machine: <task-notification>done</task-notification>",
            "tool-requested",
            "tool-succeeded"
        ]
    );
    assert_eq!(short(&turns[2]), ["human: And that.", "stop: All done."]);
}

#[test]
fn a_prompt_declared_to_be_nobodys_begins_no_turn() {
    let scheduled = with(
        user(json!("Check the build again.")),
        "promptSource",
        json!("system"),
    );
    let elsewhere = with(user(json!("Go on.")), "origin", json!({"kind": "cron"}));
    let typed = with(
        with(user(json!("And now?")), "origin", json!({"kind": "human"})),
        "promptSource",
        json!("typed"),
    );
    let turns = read(&[
        user(json!("Go.")),
        words("m1", "Done."),
        scheduled,
        elsewhere,
        words("m2", "Still fine."),
        typed,
    ]);
    assert_eq!(
        turns.iter().map(short).collect::<Vec<_>>(),
        [
            &[
                "human: Go.",
                "machine: Check the build again.",
                "machine: Go on.",
                "stop: Still fine."
            ][..],
            &["human: And now?"][..]
        ]
    );
}
