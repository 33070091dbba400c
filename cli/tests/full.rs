//! A disk without room, for real: a small file system of its own, filled to the
//! last block. Hooks hurt nobody, what was kept stays, and with room again all
//! goes on.

use crate::world::{Ran, World, finish};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

/// Set for the process that has file systems of its own.
const INSIDE: &str = "RECEIPT_TEST_OWN_MOUNTS";

/// Longest that a hook may take where nothing can be kept.
const SOON: Duration = Duration::from_secs(20);

/// Runs a test again in a mount namespace of its own, which goes with it. True
/// in there.
fn in_own_mounts(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let ran = Command::new("unshare")
        .args(["--mount", "--map-root-user"])
        .arg(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(INSIDE, "1")
        .output();
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => return skipped(&format!("unshare: {error}")),
    };
    let said = String::from_utf8_lossy(&ran.stderr);
    if said.contains("unshare failed") || said.contains("mount: ") {
        return skipped(&said);
    }
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success() && out.contains("1 passed"),
        "{out}{said}"
    );
    false
}

/// Says that nothing was tested here, which CI does not take.
fn skipped(why: &str) -> bool {
    eprintln!("SKIP: no file system of one's own can be mounted here: {why}");
    assert!(std::env::var_os("CI").is_none(), "CI can mount one");
    false
}

fn mount(world: &World, options: &str) {
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", options, "none"])
        .arg(world.home())
        .status();
    assert!(mounted.unwrap().success(), "{options}");
}

/// A home with a ledger, on a disk of its own.
fn on_small_disk(megabytes: u32) -> World {
    let world = World::bare();
    fs::create_dir_all(world.home()).unwrap();
    mount(&world, &format!("size={megabytes}m,mode=0700"));
    let ran = world.receipt(&["init", "--no-hooks"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    world
}

/// Takes all room but that many bytes.
fn fill(world: &World, leave: usize) {
    let mut file = File::create(world.home().join("filler")).unwrap();
    while file.write_all(&[7; 4096]).is_ok() {}
    let len = file.metadata().unwrap().len();
    file.set_len(len.saturating_sub(leave as u64)).unwrap();
}

fn room(world: &World) {
    fs::remove_file(world.home().join("filler")).unwrap();
}

fn request(call: &str, filler: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": call,
        "tool_input": {"command": format!("ls {call}"), "description": filler}})
}

/// A hook that hurts nobody, soon.
fn quiet(world: &World, event: &Value) {
    let begun = Instant::now();
    let Ran { code, out, err } = finish(world.start_hook(event.to_string().as_bytes()));
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    assert!(begun.elapsed() < SOON, "it took {:?}", begun.elapsed());
}

/// The calls on record, in order, and how many gaps are told of.
fn calls(world: &World) -> (Vec<String>, usize) {
    let records = world.records();
    let command = |r: &Value| {
        let text = r["body"]["commands"]["command"].as_str()?;
        Some(text.strip_prefix("ls ").unwrap_or(text).to_owned())
    };
    let gaps = records.iter().filter(|r| r["kind"] == "gap").count();
    (records.iter().filter_map(command).collect(), gaps)
}

/// Text that does not compress.
fn noise(len: usize) -> String {
    let mut state = 1u64;
    let mut letter = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        char::from(b'a' + (state >> 60) as u8)
    };
    (0..len).map(|_| letter()).collect()
}

#[test]
fn what_was_kept_before_the_disk_was_full_stays_and_all_goes_on_with_room() {
    if !in_own_mounts(
        "full::what_was_kept_before_the_disk_was_full_stays_and_all_goes_on_with_room",
    ) {
        return;
    }
    // No room at all, some for the spool, some for the journal alone.
    for leave in [0, 8 << 10, 64 << 10, 300 << 10] {
        for killed in [false, true] {
            let world = on_small_disk(16);
            let what = format!("{leave} bytes left, killed {killed}");
            for n in 0..3 {
                quiet(&world, &request(&format!("before{n}"), ""));
            }
            fill(&world, leave);
            if killed {
                world.kill_service();
            }
            let text = noise(20_000);
            for n in 0..8 {
                quiet(&world, &request(&format!("full{n}"), &text));
            }
            room(&world);
            quiet(&world, &request("after", ""));
            let (found, gaps) = calls(&world);
            let sent: Vec<String> = (0..3)
                .map(|n| format!("before{n}"))
                .chain((0..8).map(|n| format!("full{n}")))
                .chain(["after".to_owned()])
                .collect();
            assert_eq!(found[..3], sent[..3], "{what}");
            assert_eq!(found.last().unwrap(), "after", "{what}");
            let mut rest = sent.iter();
            assert!(
                found.iter().all(|call| rest.any(|sent| sent == call)),
                "{what}: each once, in order: {found:?}"
            );
            assert!(
                found.len() == sent.len() || gaps > 0,
                "{what}: a loss is told"
            );
            world.audit();
            let spooled = fs::read_dir(world.home().join("ledger/spool"));
            let left = spooled.map_or(0, Iterator::count);
            assert_eq!(left, 0, "{what}");
        }
    }
}
