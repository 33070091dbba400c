use super::{Ledger, session};
use receipt_core::commit::Content;
use receipt_core::hash::{Digest, hex};
use receipt_core::record::Kind;
use receipt_gates::facts::*;
use receipt_gates::gate::in_force;
use receipt_gates::profile::digest;
use receipt_receipts::disclose::Disclose;

/// Two git trees.
pub(crate) const BASE: &str = "1111111111111111111111111111111111111111";
pub(crate) const TREE: &str = "2222222222222222222222222222222222222222";

/// One turn, event by event.
pub(crate) struct Turn<'a> {
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) stream: Digest,
    pub(crate) repository: bool,
    calls: u64,
    checking: bool,
}

impl<'a> Turn<'a> {
    /// Opens a turn with a person's prompt.
    pub(crate) fn open(ledger: &'a mut Ledger, stream: Digest) -> Self {
        Self::open_in(ledger, stream, true)
    }

    pub(crate) fn open_in(ledger: &'a mut Ledger, stream: Digest, repository: bool) -> Self {
        let opening = Opening {
            profile: hex(&digest(&ledger.profile)),
            observer: 1,
            gates: in_force(),
            repository: repository.then(|| "5".repeat(64)),
            carry: ledger.carry(&stream),
            scheduled: receipt_gates::scheduled::Scheduled::default(),
            ran: false,
        };
        let facts = Facts {
            open: Some(opening),
            obs: vec![Observation::Prompt(PromptSeen {
                asks: vec![],
                human: true,
                waiver: false,
            })],
            ..Facts::default()
        };
        ledger.event(stream, Kind::PromptHuman, &facts);
        Self {
            ledger,
            stream,
            repository,
            calls: 0,
            checking: false,
        }
    }

    /// Goes on with a turn that was left for another stream's.
    pub(crate) fn resume(ledger: &'a mut Ledger, stream: Digest, calls: u64) -> Self {
        Self {
            ledger,
            stream,
            repository: true,
            calls,
            checking: false,
        }
    }

    /// Asks to stop with a snapshot and no change to compare.
    pub(crate) fn prompt_only_stop(&mut self, tree: &str) {
        let seen = Observation::Stop(StopSeen {
            active: false,
            background: 0,
            claims: vec![],
            question: false,
            completion: false,
        });
        self.event(Kind::StopRequested, None, vec![seen]);
        self.snapshot(Moment::Stop, None, Some(tree), vec![]);
    }

    pub(crate) fn event(&mut self, kind: Kind, call: Option<u64>, obs: Vec<Observation>) -> u64 {
        let facts = Facts {
            call: call.map(|c| format!("{c:016x}")),
            obs,
            ..Facts::default()
        };
        let mut content = Content::of_facts(serde_json::to_vec(&facts).unwrap());
        let path = br#"{"aaaaaaaaaaaaaaaa/bbbbbbbbbbbbbbbb":"src/lib.rs"}"#;
        let words = match (call, kind) {
            (Some(_), Kind::Snapshot) | (None, _) => None,
            (Some(_), _) if self.checking => Some((2, &br#"{"command":"cargo test"}"#[..])),
            (Some(_), _) => Some((1, &path[..])),
        };
        if let Some((group, words)) = words {
            content.groups[group] = Some(words.to_vec());
            content.evidence = vec![br#"{"hook_event_name":"PostToolUse"}"#.to_vec()];
        }
        if kind == Kind::StopRequested {
            content.groups[3] = Some(br#"{"message":"all done"}"#.to_vec());
        }
        self.ledger.event_with(self.stream, kind, &facts, content)
    }

    fn call(&mut self, write: bool, check: bool) -> u64 {
        self.calls += 1;
        let call = self.calls;
        self.checking = check;
        let seen = Observation::Call(CallSeen {
            write,
            check,
            background: false,
            opaque: false,
        });
        self.event(Kind::ToolRequested, Some(call), vec![seen]);
        if self.repository && (check || call == 1) {
            let moment = if check { Moment::Check } else { Moment::Write };
            let tree = if check { TREE } else { BASE };
            self.snapshot(moment, Some(call), Some(tree), vec![]);
        }
        call
    }

    pub(crate) fn snapshot(
        &mut self,
        moment: Moment,
        call: Option<u64>,
        tree: Option<&str>,
        diffs: Vec<DiffSeen>,
    ) {
        let seen = Observation::Snapshot(SnapshotSeen {
            unseen: Vec::new(),
            unasked: false,
            moment,
            tree: tree.map(String::from),
            missing: tree.is_none().then(|| "no-repository".into()),
            commit: tree.map(|_| "3".repeat(40)),
            diffs,
        });
        self.event(Kind::Snapshot, call, vec![seen]);
    }

    /// Adds lines to a code file.
    pub(crate) fn edit(&mut self, lines: u64) -> &mut Self {
        let call = self.call(true, false);
        let edit = Observation::Edit(EditSeen {
            path: "aaaaaaaaaaaaaaaa/bbbbbbbbbbbbbbbb".into(),
            class: "code".into(),
            language: "rust".into(),
            code: true,
            added: lines,
            removed: 0,
            lines,
            stubs: vec![],
            marks: Default::default(),
            created: false,
            outside: false,
            blind: false,
        });
        let end = Observation::Ended(EndSeen {
            ok: true,
            not_run: false,
            interrupted: false,
            background: false,
        });
        self.event(Kind::ToolSucceeded, Some(call), vec![end, edit]);
        self
    }

    /// Runs the whole test suite.
    pub(crate) fn test(&mut self, outcome: &str) -> &mut Self {
        let call = self.call(true, true);
        let kind = if outcome == "passed" {
            Kind::ToolSucceeded
        } else {
            Kind::ToolFailed
        };
        let run = Observation::Run(RunSeen {
            check: CheckId {
                runner: "cargo".into(),
                kind: "test".into(),
                scope: Scope::Whole,
            },
            languages: vec!["rust".into()],
            outcome: outcome.into(),
            basis: "exit".into(),
            exit: Some(i32::from(outcome != "passed")),
            executed: Some(12),
            failing: vec![],
            qualifiers: vec![],
            autofix: false,
        });
        self.event(kind, Some(call), vec![run]);
        self
    }

    /// Asks to stop, with the snapshot that the hook then takes.
    pub(crate) fn stop(&mut self, lines_since_start: u64) -> &mut Self {
        self.stop_with(lines_since_start, 0)
    }

    /// `beyond` lines differ from the tree that was checked.
    pub(crate) fn stop_with(&mut self, lines_since_start: u64, beyond: u64) -> &mut Self {
        let seen = Observation::Stop(StopSeen {
            active: false,
            background: 0,
            claims: vec![],
            question: false,
            completion: false,
        });
        self.event(Kind::StopRequested, None, vec![seen]);
        if self.repository {
            let diffs = vec![diff(BASE, lines_since_start), diff(TREE, beyond)];
            self.snapshot(Moment::Stop, None, Some(TREE), diffs);
        }
        self
    }

    /// Records the verdict that the gates give.
    pub(crate) fn conclude(&mut self) -> u64 {
        self.ledger.conclude(self.stream)
    }
}

fn diff(from: &str, lines: u64) -> DiffSeen {
    let file = DiffFile {
        path: "aaaaaaaaaaaaaaaa/bbbbbbbbbbbbbbbb".into(),
        language: "rust".into(),
        added: lines,
        removed: 0,
        lines,
        test: false,
        blob: Some("4".repeat(40)),
    };
    DiffSeen {
        from: from.into(),
        files: if lines == 0 { vec![] } else { vec![file] },
        more: false,
    }
}

/// A turn that edits, tests and stops: `pass`, basis `checked`.
pub(crate) fn checked_turn(ledger: &mut Ledger, stream: Digest) -> u64 {
    let mut turn = Turn::open(ledger, stream);
    turn.edit(20).test("passed").stop(20).conclude()
}

/// A ledger with one checked turn, and its receipt.
pub(crate) fn good() -> (Ledger, Vec<u8>) {
    let mut ledger = Ledger::new(10);
    let verdict = checked_turn(&mut ledger, session("a"));
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    (ledger, file)
}

/// A ledger with one turn without code, and its receipt: the smallest there is.
pub(crate) fn small() -> (Ledger, Vec<u8>) {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let mut turn = Turn::open_in(&mut ledger, stream, false);
    let verdict = turn.stop(0).conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    (ledger, file)
}
