//! The hook for one event: alone, with fifteen others, with a snapshot, and
//! with no service running.

use crate::plain;
use crate::process::{Program, cpu_of};
use crate::table::Table;
use crate::world::{RECEIPT, World};
use std::path::Path;

/// Size of a payload.
const SIZE: usize = 10_000;

/// Rounds of single events.
const ROUNDS: usize = 300;

/// Rounds of sixteen at once.
const CROWDS: usize = 30;

/// Cold starts, and snapshots.
const FEW: usize = 40;

/// The section.
pub fn run() {
    alone();
    crowd();
    cold();
    snapshots();
}

fn plain_process(folder: &Path) -> Program {
    Program::new(std::env::current_exe().unwrap(), &[plain::ARGUMENT], folder)
}

fn alone() {
    let world = World::new();
    let folder = world.bare_folder();
    let mut session = world.session("alone", &folder);
    let hook = world.hook(&folder);
    let bare = Program::new("/bin/true", &[], &folder);
    let plain = plain_process(&folder);
    let version = Program::new(RECEIPT, &["--version"], &folder);
    hook.cost(&session.start());
    hook.cost(&session.prompt());
    let mut table = Table::new(
        "one event at a time, 10 KB, warm service",
        &[
            "/bin/true",
            "plain process: read, blake3, sign, exit",
            "hook, PreToolUse",
            "hook, PostToolUse",
            "receipt --version, for its argument parser",
        ],
    );
    let service = cpu_of(world.service());
    for _ in 0..ROUNDS {
        let [before, after] = session.read(SIZE);
        table.add(0, bare.cost(&after));
        table.add(1, plain.cost(&after));
        table.add(2, hook.cost(&before));
        table.add(3, hook.cost(&after));
        table.add(4, version.cost(&after));
    }
    table.print();
    let spent = (cpu_of(world.service()) - service) / (2 * ROUNDS) as f64;
    println!("  CPU of the service per event: {spent:.2}");
}

fn crowd() {
    let world = World::new();
    let folder = world.bare_folder();
    let mut session = world.session("crowd", &folder);
    let (hook, plain) = (world.hook(&folder), plain_process(&folder));
    hook.cost(&session.start());
    let mut table = Table::new(
        "sixteen at once, 10 KB, warm service",
        &[
            "plain process: read, blake3, sign, exit",
            "hook, PostToolUse",
        ],
    );
    for _ in 0..CROWDS {
        let inputs: Vec<_> = (0..16).map(|_| session.read(SIZE)[1].clone()).collect();
        table.extend(0, plain.at_once(&inputs));
        table.extend(1, hook.at_once(&inputs));
    }
    table.print();
}

fn cold() {
    let world = World::new();
    let folder = world.bare_folder();
    let mut session = world.session("cold", &folder);
    let hook = world.hook(&folder);
    let mut table = Table::new(
        "no service running",
        &["hook, warm service", "hook, starts the service"],
    );
    for _ in 0..FEW {
        world.receipt(&["service", "stop"]);
        table.add(1, hook.cost(&session.read(SIZE)[1]));
        table.add(0, hook.cost(&session.read(SIZE)[1]));
    }
    table.print();
}

fn snapshots() {
    let world = World::new();
    let root = world.repository();
    let hook = world.hook(&root);
    let mut table = Table::new(
        "in a git repository of 1,000 files, 10 KB, warm service",
        &[
            "hook, PostToolUse",
            "hook, PreToolUse of a session's first edit",
            "hook, of a later turn's first edit",
        ],
    );
    for round in 0..FEW {
        let mut session = world.session(&format!("snapshot-{round}"), &root);
        hook.cost(&session.prompt());
        table.add(0, hook.cost(&session.read(SIZE)[1]));
        table.add(1, hook.cost(&session.edit(SIZE)));
        hook.cost(&session.stop());
        hook.cost(&session.prompt());
        table.add(2, hook.cost(&session.edit(SIZE)));
    }
    table.print();
}
