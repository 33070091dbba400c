//! What a judge that is not there adds to a stop.

use crate::table::Table;
use crate::world::World;

const ROUNDS: usize = 30;

/// The section: fresh ledgers, since a judge that failed is left alone a while.
pub fn run() {
    let mut table = Table::new(
        "Stop after an edit of two lines, no repository",
        &[
            "no judge",
            "a judge where nothing listens",
            "a judge, no word of completion",
        ],
    );
    let nothing = "[judge]\nmode = \"block\"\nurl = \"http://localhost:9/api/generate\"\n";
    for _ in 0..ROUNDS {
        let kinds = [("", true), (nothing, true), (nothing, false)];
        for (row, (profile, claims)) in kinds.into_iter().enumerate() {
            let world = World::new();
            std::fs::write(world.home().join("receipt.toml"), profile).unwrap();
            let folder = world.bare_folder();
            let hook = world.hook(&folder);
            let mut session = world.session("s", &folder);
            hook.cost(&session.prompt());
            for payload in session.write() {
                hook.cost(&payload);
            }
            let said = if claims {
                "Fixed and verified."
            } else {
                "Two lines changed."
            };
            table.add(row, hook.cost(&session.stop_saying(said)));
        }
    }
    table.print();
}
