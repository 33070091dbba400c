//! Commands and hooks that change and read one ledger at the same time.

use crate::world::World;
use serde_json::json;

/// How often each command is run.
const ROUNDS: usize = 6;

/// What each thread runs, over and over. None of them may fail, whatever the
/// others do meanwhile.
const COMMANDS: [&[&str]; 7] = [
    &["audit"],
    &["key", "rotate"],
    &["key", "rotate", "--use", "verdict"],
    &["key", "export", "--openssh"],
    &["prune", "--older-than", "1s"],
    &["checkpoint", "show"],
    &["service", "stop"],
];

/// Hooks of a turn, one after another, so that pruned records and their
/// `prune` records stand among those that are audited.
fn turns(world: &World, writer: usize) {
    for n in 0..ROUNDS * 4 {
        let event = ["UserPromptSubmit", "PreToolUse", "Stop"][n % 3];
        world.event(&json!({
            "session_id": format!("w{writer}-{}", n / 6), "cwd": "/nowhere",
            "hook_event_name": event, "prompt": format!("look {n}"),
            "tool_name": "Bash", "tool_use_id": format!("{writer}-{n}"),
            "tool_input": {"command": "ls"},
        }));
    }
}

#[test]
fn commands_and_hooks_at_once_find_the_ledger_sound() {
    let world = World::new();
    std::thread::scope(|scope| {
        let world = &world;
        for writer in 0..2 {
            scope.spawn(move || turns(world, writer));
        }
        for command in COMMANDS {
            scope.spawn(move || {
                for _ in 0..ROUNDS {
                    let ran = world.receipt(command);
                    // Those that change the ledger may give up where others have
                    // it all the time; nothing may be found wrong with it.
                    let gave_up = [
                        "does not let go",
                        "does not answer",
                        "before it answered",
                        "no such checkpoint yet",
                    ];
                    let gave_up = gave_up.iter().any(|text| ran.err.contains(text));
                    assert!(
                        ran.code == 0 || gave_up,
                        "{command:?}: {} {}{}",
                        ran.code,
                        ran.out,
                        ran.err
                    );
                }
            });
        }
    });
    world.audit();
    assert!(!world.home().join("keys.next").exists());
    let kinds = world.kinds();
    let count = |kind: &str| kinds.iter().filter(|k| *k == kind).count();
    assert!(count("key") > 0 && count("verdict-stop") > 0, "{kinds:?}");
}
