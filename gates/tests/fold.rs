//! Laws of the fold, over the records of every turn file.

use crate::turns::{Record, Recorded, files, record, record_under};
use proptest::prelude::*;
use receipt_core::record::{Flags, Kind};
use receipt_gates::facts::{Facts, Observation};
use receipt_gates::fold::Stream;
use receipt_gates::gate::in_force;
use receipt_gates::profile::{Mode, Profile};
use receipt_gates::record::RecordView;
use receipt_gates::scheduled::MAX_SCHEDULED;
use receipt_gates::verdict::{Action, Basis, Verdict, VerdictFacts};

/// The verdicts that a stream gives on its stops, as JSON.
pub(crate) fn refold(stream: &mut Stream, records: &[Record], profile: &Profile) -> Vec<String> {
    let mut verdicts = Vec::new();
    for record in records {
        if record.kind == Kind::VerdictStop {
            let fold = stream.fold().expect("a stop lies in a turn");
            let verdict = fold.verdict(profile, &profile.to_bytes());
            verdicts.push(serde_json::to_string(&verdict).unwrap());
        }
        stream.apply(&record.view());
    }
    verdicts
}

fn written(recorded: &Recorded) -> Vec<String> {
    let verdicts = recorded.verdicts();
    verdicts
        .map(|v| serde_json::to_string(v).unwrap())
        .collect()
}

/// The state as another process would get it.
fn moved(stream: &Stream) -> Stream {
    let bytes = serde_json::to_vec(stream).unwrap();
    let restored: Stream = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(&restored, stream);
    restored
}

#[test]
fn state_restored_at_any_record_folds_on_to_the_same() {
    for file in files() {
        let recorded = record(&file);
        let mut whole = Stream::default();
        let expected = refold(&mut whole, &recorded.records, &recorded.profile);
        for split in 0..=recorded.records.len() {
            let (before, after) = recorded.records.split_at(split);
            let mut first = Stream::default();
            let mut got = refold(&mut first, before, &recorded.profile);
            let mut second = moved(&first);
            got.extend(refold(&mut second, after, &recorded.profile));
            assert_eq!(got, expected, "{} split at {split}", recorded.name);
            assert_eq!(second, whole, "{} split at {split}", recorded.name);
        }
    }
}

#[test]
fn the_same_records_give_the_same_bytes() {
    for file in files() {
        let once = record(&file);
        let again = record(&file);
        assert_eq!(written(&once), written(&again), "{}", once.name);
        let refolded = refold(&mut Stream::default(), &once.records, &once.profile);
        assert_eq!(written(&once), refolded, "{}", once.name);
    }
}

#[test]
fn facts_survive_being_written_and_read() {
    for file in files() {
        for record in record(&file).records {
            let bytes = serde_json::to_vec(&record.facts).unwrap();
            let read: Facts = serde_json::from_slice(&bytes).unwrap();
            assert_eq!(read, record.facts);
        }
    }
}

/// All gates in one mode.
fn all_in(mode: Mode) -> Profile {
    let gates = in_force().into_keys().map(|gate| (gate, mode));
    Profile {
        gates: gates.collect(),
        ..Profile::default()
    }
}

/// What of a verdict no action may change: it is compared for the first stop,
/// since what follows depends on whether that stop was allowed.
fn evidence(recorded: &Recorded) -> Option<(Verdict, Vec<String>, u64)> {
    let verdict = recorded.verdicts().next()?;
    let standing = verdict.findings.iter().filter(|f| f.blocks());
    let codes = standing.map(|f| f.code.clone()).collect();
    Some((verdict.verdict, codes, verdict.findings.len() as u64))
}

#[test]
fn a_gates_mode_never_changes_the_verdict() {
    for file in files() {
        let blocking = record_under(&file, Some(all_in(Mode::Block)), false);
        for mode in [Mode::Warn, Mode::Off] {
            let other = record_under(&file, Some(all_in(mode)), false);
            assert_eq!(evidence(&other), evidence(&blocking), "{}", other.name);
            let blocked = other.verdicts().filter(|v| v.action == Action::Blocked);
            assert_eq!(blocked.count(), 0, "{}", other.name);
        }
    }
}

#[test]
fn a_waiver_never_changes_the_verdict_and_is_always_obeyed() {
    for file in files() {
        let plain = record_under(&file, None, false);
        let waived = record_under(&file, None, true);
        assert_eq!(evidence(&waived), evidence(&plain), "{}", waived.name);
        let first = waived
            .verdicts()
            .next()
            .expect("every turn file has a stop");
        assert_ne!(first.action, Action::Blocked, "{}", waived.name);
    }
}

#[test]
fn a_yield_never_changes_the_verdict() {
    for file in files() {
        let recorded = record(&file);
        for verdict in recorded.verdicts() {
            check_consistency(verdict, &recorded.name);
        }
    }
}

/// Verdict, basis and action go together whatever the records are.
fn check_consistency(verdict: &VerdictFacts, name: &str) {
    let stands = verdict.findings.iter().any(|f| f.blocks());
    assert_eq!(verdict.verdict == Verdict::Block, stands, "{name}");
    assert_eq!(
        verdict.verdict == Verdict::Pass,
        verdict.basis.is_some(),
        "{name}"
    );
    if verdict.verdict == Verdict::Pass {
        assert_eq!(verdict.action, Action::Allowed, "{name}");
    }
    assert!(verdict.blocks <= 8, "{name}: below the client's own cap");
}

#[test]
fn a_withheld_record_never_gives_a_pass() {
    for file in files() {
        let recorded = record(&file);
        let Some(end) = recorded
            .records
            .iter()
            .position(|r| r.kind == Kind::StopRequested)
        else {
            continue;
        };
        let turn = &recorded.records[..=end];
        for withheld in 1..turn.len().saturating_sub(1) {
            let mut stream = Stream::default();
            for (at, record) in turn.iter().enumerate() {
                let mut view = record.view();
                if at == withheld {
                    view.facts = None;
                }
                stream.apply(&view);
            }
            let fold = stream.fold().unwrap();
            let verdict = fold.verdict(&recorded.profile, &recorded.profile.to_bytes());
            assert_ne!(
                verdict.verdict,
                Verdict::Pass,
                "{} at {withheld}",
                recorded.name
            );
        }
    }
}

#[test]
fn a_late_pass_covers_nothing() {
    for file in files() {
        let mut recorded = record(&file);
        for record in &mut recorded.records {
            if record.kind == Kind::ToolSucceeded {
                record.flags |= Flags::LATE;
            }
        }
        let profile = &recorded.profile;
        for json in refold(&mut Stream::default(), &recorded.records, profile) {
            let verdict: VerdictFacts = serde_json::from_str(&json).unwrap();
            assert_ne!(verdict.basis, Some(Basis::Checked), "{}", recorded.name);
            assert_eq!(verdict.checked_tree, None, "{}", recorded.name);
        }
    }
}

/// The records of all turn files, cut into pieces and put together at random:
/// nonsense as a session, and still folded without a fault.
fn shuffled() -> impl Strategy<Value = Vec<Record>> {
    let all: Vec<Record> = files().iter().flat_map(|f| record(f).records).collect();
    prop::collection::vec(prop::sample::select(all), 1..80).prop_map(|records| {
        let numbered = records.into_iter().enumerate();
        numbered
            .map(|(at, record)| Record {
                seq: at as u64 + 1,
                ..record
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_order_of_records_folds_the_same_when_split(records in shuffled(), at in 0usize..80) {
        let mut whole = Stream::default();
        for record in &records {
            whole.apply(&record.view());
        }
        let (before, after) = records.split_at(at.min(records.len()));
        let mut first = Stream::default();
        for record in before {
            first.apply(&record.view());
        }
        let mut second = moved(&first);
        for record in after {
            second.apply(&record.view());
        }
        prop_assert_eq!(&second, &whole);
        if let Some(fold) = whole.fold() {
            let profile = Profile::default();
            let verdict = fold.verdict(&profile, &profile.to_bytes());
            let standing = verdict.findings.iter().any(|f| f.blocks());
            prop_assert_eq!(verdict.verdict == Verdict::Block, standing);
        }
    }
}

/// What the agent schedules is remembered in order, and not without bound.
#[test]
fn the_newest_scheduled_prompts_are_remembered() {
    let mut stream = Stream::default();
    let mut schedule = |ids: Vec<String>| {
        let facts = Facts {
            obs: vec![Observation::Scheduled(ids)],
            ..Facts::default()
        };
        stream.apply(&RecordView {
            seq: 1,
            kind: Some(Kind::StopRequested),
            flags: 0,
            wall_us: 1,
            facts: Some(&facts),
        });
        stream.scheduled().clone()
    };
    let ids = |range: std::ops::Range<usize>| range.map(|n| format!("id{n}")).collect::<Vec<_>>();
    schedule(ids(0..MAX_SCHEDULED));
    // Named again, it is the newest; one more then drops the second, not it.
    let known = schedule(ids(0..1));
    assert!(known.has("id0") && known.has("id1"));
    let known = schedule(vec!["another".to_owned()]);
    assert!(known.has("another") && known.has("id0") && known.has("id2"));
    assert!(!known.has("id1"));
}
