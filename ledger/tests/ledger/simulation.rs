//! A whole ledger under chance: writers, a clock that jumps, kills, power cuts,
//! disk errors and roll-backs, from one seed. Separate checkers compare what
//! comes out with what was acknowledged. Planted faults prove the checkers.

use crate::common::{create, draft, large_draft, open, time};
use crate::planted::{Plant, Planted};
use receipt_core::hash::Digest;
use receipt_core::seal::Record;
use receipt_ledger::testing::{Failure, FaultDisk, Kept};
use receipt_ledger::{Disk, Ledger, LedgerError, MemoryStores};
use std::sync::Arc;

/// Seeds that every run of the tests plays.
const SEEDS: u64 = 60;

/// Things that happen in one play.
const STEPS: u64 = 60;

/// Numbers from a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// What the writers were told, apart from the ledger.
#[derive(Default)]
struct Told {
    links: Vec<(u64, Digest)>,
    /// Sizes of checkpoints that left the ledger.
    published: u64,
}

impl Told {
    fn acknowledged<'a>(&mut self, records: impl Iterator<Item = &'a Arc<Record>>) {
        self.links
            .extend(records.map(|r| (r.header().seq, r.signed.link())));
    }
}

struct Play {
    disk: FaultDisk,
    plant: Option<Plant>,
    stores: MemoryStores,
    ledger: Option<Ledger>,
    told: Told,
    chance: Chance,
    clock: u64,
}

impl Play {
    fn begin(seed: u64, plant: Option<Plant>) -> Result<Self, String> {
        let mut play = Self {
            disk: FaultDisk::new(),
            plant,
            stores: MemoryStores::new(),
            ledger: None,
            told: Told::default(),
            chance: Chance(seed),
            clock: 1,
        };
        let disk = play.shared();
        let ledger = create(&disk, &mut play.stores).map_err(|e| format!("creation: {e}"))?;
        play.told
            .links
            .push((0, ledger.record(0).unwrap().unwrap().signed.link()));
        play.ledger = Some(ledger);
        Ok(play)
    }

    fn shared(&self) -> Arc<dyn Disk> {
        match self.plant {
            None => Arc::new(self.disk.clone()),
            Some(plant) => Arc::new(Planted::new(self.disk.clone(), plant)),
        }
    }

    fn step(&mut self) -> Result<(), String> {
        // The clock goes on, stands still, or jumps back.
        self.clock = match self.chance.below(10) {
            0 => self.clock.saturating_sub(1_000),
            1 => self.clock,
            _ => self.clock + self.chance.below(5_000),
        };
        match self.chance.below(20) {
            0 | 1 => self.crash(Kept::All),
            2..=4 => {
                let seed = self.chance.below(1 << 40);
                self.crash(Kept::Some(seed))
            }
            5 => self.crash(Kept::Synced),
            6 | 7 => self.failing_call(),
            8 => self.rolled_back(),
            _ => {
                self.write();
                Ok(())
            }
        }
    }

    /// Some writer appends; errors end the handle, as they end the service.
    fn write(&mut self) {
        let writer = format!("w{}", self.chance.below(4));
        let count = 1 + self.chance.below(4);
        let large = self.chance.below(8) == 0;
        let drafts = (0..count).map(|n| {
            if large {
                large_draft(&writer, 20_000)
            } else {
                draft(&writer, n)
            }
        });
        let drafts = drafts.collect();
        let now = time(self.clock);
        let checkpoint = self.chance.below(3) == 0;
        let Some(ledger) = &mut self.ledger else {
            return;
        };
        let done = if checkpoint {
            let made = ledger.append_with_checkpoint(drafts, [1; 32], now);
            made.map(|made| {
                self.told.acknowledged(made.records.iter());
                self.told.published = self.told.published.max(made.note.size);
            })
        } else {
            let made = ledger.append(drafts, now);
            made.map(|records| self.told.acknowledged(records.iter()))
        };
        if done.is_ok() && self.chance.below(2) == 0 {
            let _ = ledger.publish_head();
        }
        if self.chance.below(3) == 0 {
            let _ = ledger.settle();
        }
        if ledger.is_poisoned() {
            self.ledger = None;
        }
    }

    /// The process is killed, or the power goes; another opens what is left.
    fn crash(&mut self, kept: Kept) -> Result<(), String> {
        self.ledger = None;
        self.stores = match kept {
            Kept::All => self.stores.copy(),
            _ => self.stores.power_cut(),
        };
        self.disk = self.disk.power_cut(kept);
        self.reopen()
    }

    /// A disk call fails while something is written, then the process is killed.
    fn failing_call(&mut self) -> Result<(), String> {
        let how = [Failure::Before, Failure::After, Failure::Half];
        let how = how[usize::try_from(self.chance.below(3)).unwrap()];
        self.disk
            .fail(self.disk.calls() + self.chance.below(6), how);
        for _ in 0..4 {
            self.write();
        }
        self.crash(Kept::All)
    }

    /// Someone puts an older journal in place and takes the store away: what the
    /// register knows of is missing, so nothing may open. Played on a copy.
    fn rolled_back(&mut self) -> Result<(), String> {
        let old = self.disk.copy();
        let size = self.ledger.as_ref().map_or(u64::MAX, Ledger::size);
        for _ in 0..6 {
            self.write();
        }
        let Some(ledger) = &mut self.ledger else {
            return Ok(());
        };
        let published = ledger.publish_head().is_ok();
        let known = ledger.latest_checkpoint().map_or(0, |note| note.size);
        if !published || known <= size {
            return Ok(());
        }
        let disk = self.disk.copy();
        for name in disk.names().iter().filter(|n| n.starts_with("intake/")) {
            match old.bytes(name) {
                Some(bytes) => disk.put(name, &bytes).unwrap(),
                None => disk.remove(name).unwrap(),
            }
        }
        let shared: Arc<dyn Disk> = match self.plant {
            None => Arc::new(disk),
            Some(plant) => Arc::new(Planted::new(disk, plant)),
        };
        match open(&shared, &mut MemoryStores::new()) {
            Err(LedgerError::TruncatedOrRolledBack { .. } | LedgerError::Unusable { .. }) => Ok(()),
            Err(error) => Err(format!("a roll-back is refused otherwise: {error}")),
            Ok(_) => Err("a ledger that was rolled back opens".to_owned()),
        }
    }

    fn reopen(&mut self) -> Result<(), String> {
        let disk = self.shared();
        let opened = open(&disk, &mut self.stores);
        let (ledger, _) = opened.map_err(|error| format!("it does not open: {error}"))?;
        nothing_is_lost(&ledger, &self.told)?;
        everything_holds(&ledger)?;
        self.ledger = Some(ledger);
        Ok(())
    }
}

/// Every record that was acknowledged is there, as it was.
fn nothing_is_lost(ledger: &Ledger, told: &Told) -> Result<(), String> {
    for (seq, link) in &told.links {
        let record = ledger
            .record(*seq)
            .map_err(|e| format!("record {seq}: {e}"))?;
        let record = record.ok_or_else(|| format!("record {seq} is lost"))?;
        if record.signed.link() != *link {
            return Err(format!("record {seq} is another"));
        }
    }
    if ledger.size() < told.published {
        return Err(format!(
            "a checkpoint over {} left the ledger",
            told.published
        ));
    }
    Ok(())
}

/// The whole ledger verifies.
fn everything_holds(ledger: &Ledger) -> Result<(), String> {
    match ledger.audit(&mut |_, _| {}).fault {
        None => Ok(()),
        Some(fault) => Err(format!("audit: {fault}")),
    }
}

/// Plays a seed; what went wrong, with the step.
fn play(seed: u64, plant: Option<Plant>) -> Result<(), String> {
    let mut play = Play::begin(seed, plant)?;
    for step in 0..STEPS {
        play.step().map_err(|why| format!("step {step}: {why}"))?;
        if play.ledger.is_none() {
            play.reopen().map_err(|why| format!("step {step}: {why}"))?;
        }
    }
    play.crash(Kept::Synced)
        .map_err(|why| format!("at the end: {why}"))
}

#[test]
fn no_seed_loses_or_hides_anything() {
    let first = std::env::var("RECEIPT_SEED").ok();
    let seeds = match first.map(|seed| seed.parse().unwrap()) {
        Some(seed) => seed..seed + 1,
        None => 0..SEEDS,
    };
    for seed in seeds {
        if let Err(why) = play(seed, None) {
            panic!("RECEIPT_SEED={seed}: {why}");
        }
    }
}

#[test]
fn every_planted_fault_is_found_within_those_seeds() {
    for plant in Plant::ALL {
        let found = (0..SEEDS).find_map(|seed| Some((seed, play(seed, Some(plant)).err()?)));
        let (seed, why) = found.unwrap_or_else(|| panic!("{plant:?} is not found"));
        println!("{plant:?} is found by seed {seed}: {why}");
    }
}
