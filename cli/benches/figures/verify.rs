//! Verification of receipts: in this process and as a command.

use crate::process::{Cost, Program};
use crate::table::Table;
use crate::world::{RECEIPT, World};
use receipt_gates::verdict::Basis;
use receipt_receipts::trust::TrustFile;
use receipt_receipts::verify::{Options, Outcome, verify};
use std::path::PathBuf;
use std::time::Instant;

/// Records of the two receipts, roughly.
const SIZES: [usize; 2] = [60, 2_000];

const ROUNDS: usize = 30;

/// The section.
pub fn run() {
    let world = World::new();
    let folder = world.bare_folder();
    let receipts: Vec<PathBuf> = SIZES.iter().map(|size| make(&world, *size)).collect();
    let trust = world.path("allowed_signers");
    let signers = world
        .receipt(&["key", "show", "--format", "allowed-signers"])
        .stdout;
    std::fs::write(&trust, &signers).unwrap();
    let mut table = Table::new(
        "verification of a receipt",
        &[
            "library, 60 records",
            "library, 2,000 records",
            "process, 60 records",
            "process, 2,000 records",
        ],
    );
    let trusted = TrustFile::parse(std::str::from_utf8(&signers).unwrap()).unwrap();
    for _ in 0..ROUNDS {
        for (row, receipt) in receipts.iter().enumerate() {
            table.add(row, library(receipt, &trusted));
            let arguments = [
                "verify",
                receipt.to_str().unwrap(),
                "--trust",
                trust.to_str().unwrap(),
                "--accept",
                "no-code",
            ];
            table.add(
                row + 2,
                Program::new(RECEIPT, &arguments, &folder).cost(receipt),
            );
        }
    }
    table.print();
    for receipt in &receipts {
        println!("  {} bytes", std::fs::metadata(receipt).unwrap().len());
    }
}

fn library(receipt: &PathBuf, trust: &TrustFile) -> Cost {
    let file = std::fs::read(receipt).unwrap();
    let now = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap()
        .as_micros();
    let options = Options {
        now_us: u64::try_from(now).unwrap(),
        accept: vec![Basis::NoCode],
        ..Options::default()
    };
    let start = Instant::now();
    let report = verify(&file, trust, &options);
    let wall = start.elapsed().as_secs_f64() * 1e3;
    assert_eq!(report.outcome, Outcome::Verified, "{:?}", report.reasons);
    Cost { wall, cpu: wall }
}

/// A receipt over a turn of about so many records.
fn make(world: &World, size: usize) -> PathBuf {
    let folder = world.bare_folder();
    let hook = world.hook(&folder);
    let id = format!("receipt-{size}");
    let mut session = world.session(&id, &folder);
    hook.cost(&session.prompt());
    for _ in 0..(size - 3) / 2 {
        for input in session.read(200) {
            hook.cost(&input);
        }
    }
    hook.cost(&session.stop());
    let path = world.path(&format!("{id}.receipt"));
    let done = world.receipt(&["export", "--session", &id, "-o", path.to_str().unwrap()]);
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    path
}
