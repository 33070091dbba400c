//! Lines that bear on how much checks demand: assertions, tests, and what
//! silences or loosens a check (`spec/gates.md`, "Marks").

mod assertion;
mod command;
mod config;
mod decimal;
mod literal;
mod rule;
mod suppression;
mod test;
mod vocabulary;

pub(crate) use command::updates_snapshots;

use crate::check::named::named_enum;
use crate::path::Class;
use crate::source::Masked;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use receipt_core::event::{Before, FileChange};

named_enum! {
    /// What a marked line is.
    pub enum Mark {
        /// An assertion that one value satisfies.
        Exact = "exact",
        /// An assertion of which that is not known.
        Assertion = "assertion",
        /// An assertion that many values satisfy.
        Loose = "loose",
        /// The beginning of a test.
        Test = "test",
        /// A line of a test of which only literals changed.
        Value = "value",
        /// An assertion whose tolerance grew.
        Widened = "widened",
        /// A recorded output that tests compare with.
        Snapshot = "snapshot",
        /// How far a required number fell, in hundredths.
        Threshold = "threshold",
        /// A rule that was switched off.
        RuleOff = "rule-off",
        /// A comment or attribute that silences a check in one place.
        Suppression = "suppression",
    }
}

/// Most names of one kind; what is over is counted under the empty name.
const MAX_NAMES: usize = 1_000;

/// How many more marks of each kind and name the new text has than the old.
pub type Marks = BTreeMap<Mark, BTreeMap<String, i64>>;

/// A changed file, as far as marks depend on it.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// Its path.
    pub path: &'a str,
    /// Its class.
    pub class: Class,
    /// Its language.
    pub language: &'a str,
}

/// The marks of a change, by name: for most the trimmed line.
#[must_use]
pub fn marks(file: File<'_>, change: &FileChange) -> Marks {
    let mut counts = Counts::default();
    // A text that was overwritten unseen may have had all that the new one has.
    if change.before == Before::Unknown {
        return counts.0;
    }
    if is_snapshot(file) {
        let lines = change.added.len().max(change.removed.len());
        if change.before == Before::Known {
            counts.add(Mark::Snapshot, "", i64::try_from(lines).unwrap_or(i64::MAX));
        }
        return counts.0;
    }
    if matches!(file.class, Class::Code | Class::Test) {
        for (lines, step) in [(&change.added, 1), (&change.removed, -1)] {
            lines.iter().for_each(|line| counts.code(file, line, step));
        }
        literal::compare(file, change, &mut counts);
    }
    if change.before == Before::Known && config::is_config(file) {
        config::compare(file, change, &mut counts);
    }
    counts.finish()
}

/// Recorded outputs, by the names that their tools give them.
fn is_snapshot(file: File<'_>) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or(file.path);
    let folder = |wanted: &str| file.path.split('/').any(|part| part == wanted);
    let ending = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    ending(&[
        ".snap",
        ".ambr",
        ".golden",
        ".approved.txt",
        ".verified.txt",
    ]) || folder("__snapshots__")
        || folder("__image_snapshots__")
}

/// Marks while they are counted.
#[derive(Default)]
struct Counts(Marks);

impl Counts {
    fn add(&mut self, mark: Mark, name: &str, more: i64) {
        let names = self.0.entry(mark).or_default();
        let count = names.entry(name.to_string()).or_default();
        *count = count.saturating_add(more);
    }

    fn code(&mut self, file: File<'_>, line: &str, step: i64) {
        let text = line.trim();
        if text.is_empty() {
            return;
        }
        let masked = Masked::new(file.language, text);
        if suppression::is_suppression(file.language, &masked) {
            self.add(Mark::Suppression, text, step);
        }
        let code = masked.code();
        if code.is_empty() || !(file.class == Class::Test || file.language == "rust") {
            return;
        }
        if let Some(name) = test::name(file.language, &code, text) {
            self.add(Mark::Test, &name, step);
        } else if let Some(mark) = assertion::strength(file.language, &code) {
            self.add(mark, text, step);
        }
    }

    fn finish(mut self) -> Marks {
        for names in self.0.values_mut() {
            names.retain(|_, more| *more != 0);
            let over = names.keys().nth(MAX_NAMES).cloned();
            if let Some(over) = over {
                let rest = names.split_off(&over);
                let sum = rest
                    .values()
                    .fold(0_i64, |sum, more| sum.saturating_add(*more));
                names.insert(String::new(), sum);
            }
            names.retain(|_, more| *more != 0);
        }
        self.0.retain(|_, names| !names.is_empty());
        self.0
    }
}
