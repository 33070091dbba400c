//! How a check came out, by the exit status, else by the runner's own summary, else unknown.

use super::named::named_enum;
use super::planted::Planted;
use super::refusal;
use super::summary::{self, Family, Reading};
use super::types::{CheckRun, Filter, Kind, Qualifier};
use super::verdict::{Verdict, verdict};
use alloc::string::String;
use alloc::vec::Vec;

named_enum! {
    /// How a check came out.
    pub enum Outcome {
        /// It ran and found nothing wrong.
        Passed = "passed",
        /// It ran and found something wrong.
        Failed = "failed",
        /// Not known, or nothing was checked. Never a pass.
        Unknown = "unknown",
        /// It was refused and did not run.
        Skipped = "skipped",
    }
}

named_enum! {
    /// What an outcome rests on.
    pub enum Basis {
        /// The exit status.
        Exit = "exit",
        /// The runner's own summary.
        Summary = "summary",
        /// Nothing.
        None = "none",
    }
}

/// A judged run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// How it came out.
    pub outcome: Outcome,
    /// What that rests on.
    pub basis: Basis,
    /// How many tests were executed, if told.
    pub executed: Option<u64>,
    /// Names of failing tests, at most 50.
    pub failing: Vec<String>,
    /// What is to be said about it.
    pub qualifiers: Vec<Qualifier>,
}

/// What is known of the call that a run was part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evidence<'a> {
    /// The call's exit status; a plain success is zero.
    pub exit: Option<i32>,
    /// Whether the client says that a status other than zero is no failure.
    pub exit_harmless: bool,
    /// Whether the client flagged the call as failed.
    pub failed_call: bool,
    /// What was printed.
    pub output: &'a str,
    /// Whether the call was interrupted.
    pub interrupted: bool,
    /// Whether the call went on in the background, so that this is not its result.
    pub background: bool,
    /// Whether a part of the output is missing.
    pub truncated: bool,
    /// Whether the call was refused and did not run.
    pub not_run: bool,
    /// Whether the run is the only check in the call.
    pub single: bool,
    /// What the command prints without any check.
    pub planted: Option<&'a Planted<'a>>,
}

/// Judges one run by the evidence of its call.
#[must_use]
pub fn judge(run: &CheckRun, evidence: &Evidence<'_>) -> Judged {
    let mut judge = Judge::new(run, evidence);
    let (outcome, basis) = judge.decide();
    let failed = outcome == Outcome::Failed;
    let mut qualifiers = run.qualifiers.clone();
    for qualifier in judge.notes {
        if !qualifiers.contains(&qualifier) {
            qualifiers.push(qualifier);
        }
    }
    Judged {
        outcome,
        basis,
        executed: judge.verdict.executed,
        failing: if failed {
            judge.reading.names
        } else {
            Vec::new()
        },
        qualifiers,
    }
}

/// The exit status as far as it is this run's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// It ended well.
    Zero,
    /// It ended badly, with this status if known.
    Bad(Option<i32>),
    /// The call ended badly, this run perhaps not.
    Shared(Option<i32>),
    /// Nothing is known.
    Lost,
}

struct Judge<'a> {
    run: &'a CheckRun,
    evidence: &'a Evidence<'a>,
    reading: Reading,
    verdict: Verdict,
    notes: Vec<Qualifier>,
}

impl<'a> Judge<'a> {
    fn new(run: &'a CheckRun, evidence: &'a Evidence<'a>) -> Self {
        let mut lines = summary::window(evidence.output);
        let planted = |line: &str| evidence.planted.is_some_and(|planted| planted.holds(line));
        lines.retain(|line| !run.muted && !planted(line));
        let any = run.families.is_empty();
        let wanted = |family: Family| match any {
            true => {
                let own = evidence.single || family.kinds().contains(&run.kind);
                own && !family.only_its_own()
            }
            false => run.families.contains(&family) || family == Family::Npm,
        };
        let reading = summary::read(&lines, &wanted, any);
        let verdict = verdict(&reading, run.kind, any);
        Self {
            run,
            evidence,
            reading,
            verdict,
            notes: Vec::new(),
        }
    }

    fn decide(&mut self) -> (Outcome, Basis) {
        let background =
            self.evidence.background || self.run.qualifiers.contains(&Qualifier::Background);
        if self.evidence.not_run || refusal::refused(self.evidence.output, self.failed()) {
            return (Outcome::Skipped, Basis::None);
        }
        if background {
            if self.evidence.background && !self.run.sole {
                self.note(Qualifier::Unattributed);
            }
            return self.unknown(Qualifier::Background);
        }
        let status = self.status();
        if let Some(reason) = self.cut_short(status) {
            let failed = self.verdict.failed();
            return if failed {
                self.by_summary(Outcome::Failed, reason)
            } else {
                self.unknown(reason)
            };
        }
        if self.evidence.truncated {
            self.note(Qualifier::Truncated);
        }
        if self.reading.stopped {
            self.note(Qualifier::StoppedEarly);
        }
        match status {
            Status::Zero => self.ended_well(),
            Status::Bad(code) => self.ended_badly(code),
            Status::Shared(code) => self.shared(code),
            Status::Lost => self.lost(),
        }
    }

    fn failed(&self) -> bool {
        self.evidence.failed_call || self.evidence.exit.is_some_and(|exit| exit != 0)
    }

    fn status(&self) -> Status {
        let printed = self.run.status_text.as_ref();
        let printed = printed.and_then(|text| summary::last_line_with(self.evidence.output, text));
        match printed {
            Some(0) => return Status::Zero,
            Some(code) => return Status::Bad(Some(code)),
            None => {}
        }
        if let Some(status) = self.spoken() {
            return status;
        }
        if self.evidence.exit_harmless || !self.run.exit_reaches {
            return Status::Lost;
        }
        match self.evidence.exit {
            Some(0) if !self.evidence.failed_call => Status::Zero,
            None if !self.evidence.failed_call => Status::Lost,
            code if self.run.sole => Status::Bad(code.filter(|code| *code != 0)),
            code => Status::Shared(code.filter(|code| *code != 0)),
        }
    }

    /// What the `echo` behind the run says; it is believed only of a call that ended.
    fn spoken(&self) -> Option<Status> {
        let spoken = self.run.spoken.as_ref()?;
        let lost = self.run.qualifiers.contains(&Qualifier::Negated) || self.run.optional;
        if lost || self.evidence.exit != Some(0) || self.evidence.failed_call {
            return None;
        }
        let said = |text: &str| {
            self.evidence
                .output
                .rsplit('\n')
                .take(12)
                .any(|line| line.trim() == text.trim())
        };
        match &spoken.passed {
            _ if said(&spoken.failed) => Some(Status::Bad(None)),
            Some(passed) if said(passed) => Some(Status::Zero),
            None if !self.evidence.truncated => Some(Status::Zero),
            _ => None,
        }
    }

    /// Whether the run did not get to its end.
    fn cut_short(&self, status: Status) -> Option<Qualifier> {
        let code = match status {
            Status::Bad(code) | Status::Shared(code) => code,
            Status::Zero | Status::Lost => None,
        };
        let timed_out = refusal::timed_out(self.evidence.output) && status != Status::Zero;
        match code {
            Some(124) => Some(Qualifier::TimedOut),
            _ if timed_out => Some(Qualifier::TimedOut),
            Some(130 | 137 | 143) => Some(Qualifier::Interrupted),
            _ if self.evidence.interrupted => Some(Qualifier::Interrupted),
            _ => None,
        }
    }

    fn ended_well(&mut self) -> (Outcome, Basis) {
        if self.verdict.failed() && !self.verdict.details_only {
            return self.by_summary(Outcome::Failed, Qualifier::MaskedExit);
        }
        if let Some(reason) = self.nothing_checked() {
            return self.unknown(reason);
        }
        let proven = self.verdict.passed();
        if self.run.optional && !proven {
            return self.unknown(Qualifier::Conditional);
        }
        (Outcome::Passed, Basis::Exit)
    }

    fn ended_badly(&mut self, code: Option<i32>) -> (Outcome, Basis) {
        if let Some(reason) = self.nothing_ran(code) {
            return self.unknown(reason);
        }
        (Outcome::Failed, Basis::Exit)
    }

    /// The call failed, and other parts of it can be the reason.
    fn shared(&mut self, code: Option<i32>) -> (Outcome, Basis) {
        if self.verdict.failed() {
            return (Outcome::Failed, Basis::Summary);
        }
        if let Some(reason) = self.nothing_ran(code).or_else(|| self.nothing_checked()) {
            return self.unknown(reason);
        }
        if self.verdict.passed() {
            return (Outcome::Passed, Basis::Summary);
        }
        self.unknown(Qualifier::Unattributed)
    }

    /// The exit status does not count: the runner's summary decides.
    fn lost(&mut self) -> (Outcome, Basis) {
        if self.verdict.failed() {
            return (Outcome::Failed, Basis::Summary);
        }
        if let Some(reason) = self.nothing_ran(None).or_else(|| self.nothing_checked()) {
            return self.unknown(reason);
        }
        if self.verdict.passed() {
            let cut =
                self.verdict.adds_up && matches!(self.run.filter, Filter::Head | Filter::Grep);
            return if self.run.rewritten {
                self.unknown(Qualifier::MaskedExit)
            } else if cut {
                self.unknown(Qualifier::Truncated)
            } else {
                (Outcome::Passed, Basis::Summary)
            };
        }
        if self.silence_is_success() {
            return (Outcome::Passed, Basis::Summary);
        }
        self.unknown(Qualifier::MaskedExit)
    }

    /// Why a run that ended well proves nothing.
    fn nothing_checked(&mut self) -> Option<Qualifier> {
        if self.reading.watch || self.run.qualifiers.contains(&Qualifier::WatchMode) {
            return Some(Qualifier::WatchMode);
        }
        if self.reading.cached {
            return Some(Qualifier::Cached);
        }
        if self.run.kind != Kind::Test {
            return None;
        }
        let lenient = self.run.qualifiers.contains(&Qualifier::PassWithNoTests);
        match self.verdict.executed {
            Some(0) if self.verdict.skipped => Some(Qualifier::AllSkipped),
            Some(0) => Some(Qualifier::NoTests),
            None if lenient && !self.verdict.passed() => Some(Qualifier::PassWithNoTests),
            _ => None,
        }
    }

    /// Why a run that ended badly found nothing wrong: it did not run, or had nothing to run.
    fn nothing_ran(&mut self, code: Option<i32>) -> Option<Qualifier> {
        if self.verdict.failed() && !self.reading.not_run {
            return None;
        }
        let pytest = self.run.families.contains(&Family::Pytest);
        match code {
            Some(126 | 127) if !self.verdict.passed() => return Some(Qualifier::NotRun),
            Some(4) if self.run.runner == "pytest" && !self.verdict.passed() => {
                return Some(Qualifier::NotRun);
            }
            Some(5) if pytest => return Some(Qualifier::NoTests),
            _ => {}
        }
        let told = self.reading.not_run || refusal::missing(self.evidence.output);
        if told && !self.verdict.passed() && !self.verdict.failed_finally() {
            return Some(Qualifier::NotRun);
        }
        let empty = self.run.kind == Kind::Test && self.verdict.executed == Some(0);
        empty.then_some(if self.verdict.skipped {
            Qualifier::AllSkipped
        } else {
            Qualifier::NoTests
        })
    }

    /// Tools that print only findings, seen whole.
    fn silence_is_success(&self) -> bool {
        let visible = match self.run.filter {
            Filter::None | Filter::Tail | Filter::Head | Filter::GrepFailures => true,
            Filter::Grep | Filter::Opaque => false,
        };
        let silent =
            self.evidence.output.trim().is_empty() || self.evidence.output.trim() == "(No output)";
        self.run.silent
            && visible
            && silent
            && self.evidence.single
            && !self.run.optional
            && self.known()
    }

    /// Whether the evidence is that of a call that ended at all.
    fn known(&self) -> bool {
        self.evidence.exit.is_some() && !self.run.qualifiers.contains(&Qualifier::Negated)
    }

    fn note(&mut self, qualifier: Qualifier) {
        self.notes.push(qualifier);
    }

    fn unknown(&mut self, reason: Qualifier) -> (Outcome, Basis) {
        self.note(reason);
        (Outcome::Unknown, Basis::None)
    }

    fn by_summary(&mut self, outcome: Outcome, reason: Qualifier) -> (Outcome, Basis) {
        self.note(reason);
        (outcome, Basis::Summary)
    }
}
