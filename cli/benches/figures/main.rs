//! Figures of the hook path: `cargo bench -p receipt-cli`.
//!
//! Every figure is of real processes on a real ledger, from process start to
//! exit, durable. What is compared is measured in turns, so that a load on the
//! machine falls on both. Arguments pick sections: `hook`, `stop`, `ledger`,
//! `writers`, `verify`; none picks all. Needs git; takes about two minutes and 1 GB in
//! the temporary folder.
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

const SECTIONS: [Section; 5] = [
    ("hook", hook::run),
    ("stop", stop::run),
    ("ledger", ledger::run),
    ("writers", writers::run),
    ("verify", verify::run),
];

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
    let all = !SECTIONS.iter().any(|(name, _)| picked(name));
    for (name, section) in SECTIONS {
        if all || picked(name) {
            section();
        }
    }
    machine::print_load("afterwards");
}
