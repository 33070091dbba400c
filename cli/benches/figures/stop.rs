//! Stop: with a snapshot and a verdict, on a session with a long transcript
//! and on one with a short.

use crate::table::Table;
use crate::world::World;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Size of the long transcript.
const LONG: usize = 43 << 20;

const ROUNDS: usize = 40;

/// The section.
pub fn run() {
    let world = World::new();
    let root = world.repository();
    let hook = world.hook(&root);
    let long = world.path("long.jsonl");
    write_transcript(&long, LONG);
    let mut short = world.session("short", &root);
    let mut long = world.session_with("long", &root, &long);
    let mut table = Table::new(
        "Stop after an edit, in a git repository of 1,000 files: snapshot, verdict, checkpoint",
        &["transcript of a few bytes", "transcript of 43 MB"],
    );
    for round in 0..ROUNDS {
        for (row, session) in [&mut short, &mut long].into_iter().enumerate() {
            hook.cost(&session.prompt());
            hook.cost(&session.edit(400));
            std::fs::write(root.join("src/file.py"), format!("x = {round}{row}\n")).unwrap();
            table.add(row, hook.cost(&session.stop()));
        }
    }
    table.print();
}

/// A transcript as the client writes it, of about that size.
fn write_transcript(path: &Path, size: usize) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    let mut written = 0;
    for number in 0.. {
        if written >= size {
            break;
        }
        let line = serde_json::json!({
            "type": "user", "uuid": format!("{number:032}"), "sessionId": "long",
            "timestamp": "2026-01-01T00:00:00.000Z",
            "message": {"role": "user", "content": [{"type": "tool_result",
                "tool_use_id": format!("toolu_{number:024}"), "content": "line of output\n".repeat(300)}]},
        });
        let line = format!("{line}\n");
        written += line.len();
        file.write_all(line.as_bytes()).unwrap();
    }
    file.flush().unwrap();
}
