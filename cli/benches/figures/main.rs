//! Figures of the hook path: `cargo bench -p receipt-cli`.
//!
//! Every figure is of real processes on a real ledger, from process start to
//! exit, durable. What is compared is measured in turns, so that a load on the
//! machine falls on both. Arguments pick sections: `hook`, `stop`, `judge`,
//! `ledger`, `writers`, `verify`; none picks all. Needs git; takes about five minutes and 1 GB
//! in the temporary folder. `million` is measured only when it is picked: it takes
//! ten minutes more and 4 GB. What SQLite is compared with needs python3.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    unreachable_pub,
    reason = "a measuring program stops at the first surprise, reads clocks and starts programs"
)]

mod hook;
mod judge;
mod ledger;
mod machine;
mod payload;
mod plain;
mod process;
mod stop;
mod table;
mod verify;
mod world;
mod writers;

type Section = (&'static str, fn());

const SECTIONS: [Section; 6] = [
    ("hook", hook::run),
    ("stop", stop::run),
    ("judge", judge::run),
    ("ledger", ledger::run),
    ("writers", writers::run),
    ("verify", verify::run),
];

/// Not among all, but when it is picked.
const LONG: Section = ("million", ledger::million);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|a| a == plain::ARGUMENT) {
        plain::run();
        return;
    }
    if let [first, home, size] = arguments.as_slice()
        && first == ledger::ARGUMENT
    {
        ledger::write(home.as_ref(), size.parse().unwrap());
        return;
    }
    machine::print();
    let picked = |name: &str| arguments.iter().any(|a| a == name);
    let all = !SECTIONS.iter().chain([&LONG]).any(|(name, _)| picked(name));
    for (name, section) in SECTIONS {
        if all || picked(name) {
            section();
        }
    }
    if picked(LONG.0) {
        LONG.1();
    }
    machine::print_load("afterwards");
}
