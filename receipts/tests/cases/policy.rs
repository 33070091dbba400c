//! What is authentic and still not enough.

use crate::world::*;
use receipt_core::record::Kind;
use receipt_gates::facts::{Observation, StopSeen};
use receipt_gates::verdict::{Basis, Verdict};
use receipt_receipts::disclose::Disclose;
use receipt_receipts::tier::Tier;
use receipt_receipts::verify::{Fault, Options, Outcome, Report, Subject, verify};

/// A turn whose pass rests on a basis.
fn turn_of(basis: Basis) -> (Ledger, Vec<u8>) {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let verdict = match basis {
        Basis::Checked => checked_turn(&mut ledger, stream),
        Basis::Small => Turn::open(&mut ledger, stream).edit(5).stop(5).conclude(),
        Basis::NoCode => Turn::open(&mut ledger, stream).stop(0).conclude(),
        Basis::Open => {
            let mut turn = Turn::open(&mut ledger, stream);
            let stop = StopSeen {
                active: false,
                background: 1,
                claims: vec![],
                question: false,
                completion: false,
            };
            turn.event(Kind::StopRequested, None, vec![Observation::Stop(stop)]);
            turn.conclude()
        }
        Basis::Unanchored => {
            let mut turn = Turn::open_in(&mut ledger, stream, false);
            turn.edit(20).test("passed").stop(0).conclude()
        }
    };
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    (ledger, file)
}

fn with(ledger: &Ledger, file: &[u8], change: impl FnOnce(&mut Options)) -> Report {
    let mut options = options();
    change(&mut options);
    verify(file, &ledger.trust(), &options)
}

#[test]
fn a_pass_rests_on_checked_unless_more_is_accepted() {
    let all = [
        Basis::Checked,
        Basis::Small,
        Basis::NoCode,
        Basis::Open,
        Basis::Unanchored,
    ];
    for basis in all {
        let (ledger, file) = turn_of(basis);
        for accepted in all {
            let report = with(&ledger, &file, |o| o.accept = vec![accepted]);
            let stated = report.verdict.as_ref().unwrap();
            assert_eq!(stated.basis, Some(basis));
            if basis == Basis::Checked || basis == accepted {
                assert_eq!(report.outcome, Outcome::Verified, "{:#?}", report.reasons);
            } else {
                refused(&report, Fault::Policy, "policy");
                assert_eq!(report.reasons.len(), 1);
                assert!(report.reasons[0].text.contains(basis.as_str()));
            }
        }
    }
}

#[test]
fn a_blocked_turn_is_blocked_whatever_is_accepted() {
    let mut ledger = Ledger::new(10);
    let mut turn = Turn::open(&mut ledger, session("a"));
    let verdict = turn.edit(20).test("failed").stop(20).conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    let report = with(&ledger, &file, |o| {
        o.accept = vec![Basis::Small, Basis::NoCode, Basis::Open, Basis::Unanchored];
    });
    refused(&report, Fault::Blocked, "verdict");
    assert_eq!(report.outcome.exit_code(), 10);
    assert_eq!(report.verdict.unwrap().verdict, Verdict::Block);
}

#[test]
fn a_yielded_block_stays_a_block() {
    let mut ledger = Ledger::new(10);
    let mut turn = Turn::open(&mut ledger, session("a"));
    turn.edit(20).test("failed").stop(20).conclude();
    let verdict = turn.stop(20).conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    refused(&check(&ledger, &file), Fault::Blocked, "verdict");
}

#[test]
fn something_carried_open_is_not_enough() {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    Turn::open(&mut ledger, stream).edit(5).stop(5).conclude();
    let verdict = Turn::open(&mut ledger, stream).stop(0).conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    let report = with(&ledger, &file, |o| o.accept = vec![Basis::NoCode]);
    refused(&report, Fault::Policy, "policy");
    assert!(report.reasons[0].text.contains("earlier turn"));
}

#[test]
fn a_weaker_profile_is_named_way_by_way() {
    for (profile, weaknesses) in [
        ("{\"version\":1,\"churn\":16}", 1),
        ("{\"version\":1,\"churn\":15}", 0),
        ("{\"version\":1,\"churn\":3}", 0),
        (
            "{\"version\":1,\"gates\":{\"check-failed\":\"warn\",\"stub-introduced\":\"off\"}}",
            2,
        ),
        ("{\"version\":1,\"gates\":{\"check-failed\":\"block\"}}", 0),
    ] {
        let mut ledger = Ledger::new(10);
        ledger.profile = profile.into();
        let verdict = checked_turn(&mut ledger, session("a"));
        let sealed = ledger.checkpoint();
        let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
        let report = check(&ledger, &file);
        if weaknesses == 0 {
            assert_eq!(report.outcome, Outcome::Verified, "{:#?}", report.reasons);
        } else {
            refused(&report, Fault::Policy, "policy");
        }
        assert_eq!(report.reasons.len(), weaknesses);
    }
}

#[test]
fn required_gates_must_have_decided() {
    let (ledger, file) = good();
    let known = with(&ledger, &file, |o| o.require = vec!["check-failed".into()]);
    assert_eq!(known.outcome, Outcome::Verified);
    let report = with(&ledger, &file, |o| {
        o.require = vec!["claim-unsupported".into()]
    });
    refused(&report, Fault::Policy, "policy");
}

#[test]
fn a_tier_is_worth_what_is_shown() {
    for (tier, minimum, enough) in [
        (Tier::SameUser, Tier::SameUser, true),
        (Tier::SameUser, Tier::SeparateUser, false),
        (Tier::SeparateUser, Tier::SeparateUser, true),
        (Tier::SeparateUser, Tier::Witnessed, false),
        (Tier::Witnessed, Tier::SeparateUser, true),
        (Tier::Witnessed, Tier::Witnessed, false),
        (Tier::Ci, Tier::Ci, false),
    ] {
        let mut ledger = Ledger::new(10);
        ledger.tier = tier;
        let verdict = checked_turn(&mut ledger, session("a"));
        let sealed = ledger.checkpoint();
        let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
        let report = with(&ledger, &file, |o| o.tier = Some(minimum));
        if enough {
            assert_eq!(report.outcome, Outcome::Verified, "{tier:?} {minimum:?}");
        } else {
            refused(&report, Fault::Policy, "policy");
        }
    }
}

#[test]
fn age_is_by_the_signers_clock_and_has_two_ends() {
    let (ledger, file) = good();
    let made = START + 10_000_000;
    for (now, max, enough) in [
        (made, 0, true),
        (made + 5, 5, true),
        (made + 6, 5, false),
        (made - 1, 5, false),
        (0, u64::MAX, false),
        (u64::MAX, u64::MAX, true),
    ] {
        let report = with(&ledger, &file, |o| {
            o.now_us = now;
            o.max_age_us = Some(max);
        });
        if enough {
            assert_eq!(report.outcome, Outcome::Verified, "{now} {max}");
        } else {
            refused(&report, Fault::Policy, "policy");
        }
    }
}

#[test]
fn another_tree_is_stale() {
    let (ledger, file) = good();
    for tree in [BASE, &"2".repeat(64)] {
        let report = with(&ledger, &file, |o| o.subject = Subject::tree(tree));
        refused(&report, Fault::Stale, "tree");
        assert_eq!(report.outcome.exit_code(), 21);
    }
    assert_eq!(Subject::tree(&"2".repeat(39)), None);
    assert_eq!(Subject::tree(&"2".repeat(40).replace('2', "A")), None);
    let (ledger, file) = small();
    let report = with(&ledger, &file, |o| {
        o.subject = Subject::tree(TREE);
        o.accept = vec![Basis::NoCode];
    });
    refused(&report, Fault::Stale, "tree");
}

#[test]
fn an_interim_verdict_is_pending() {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let mut turn = Turn::open(&mut ledger, stream);
    turn.edit(20).test("passed").stop(20);
    let verdict = ledger.verdict(&stream);
    let seq = ledger.conclude_with(stream, Kind::VerdictInterim, verdict);
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(seq, &sealed, Disclose::facts_only());
    let report = check(&ledger, &file);
    refused(&report, Fault::Policy, "policy");
    assert!(report.reasons[0].text.starts_with("pending"));
}

#[test]
fn everything_that_stands_against_it_is_listed_and_the_gravest_decides() {
    let mut ledger = Ledger::new(10);
    ledger.profile = b"{\"version\":1,\"churn\":100}".to_vec();
    let mut turn = Turn::open(&mut ledger, session("a"));
    let verdict = turn.edit(5).stop(5).conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    let options = Options {
        subject: Subject::tree(BASE),
        tier: Some(Tier::Ci),
        max_age_us: Some(1),
        require: vec!["claim-unsupported".into()],
        ..options()
    };
    let report = verify(&file, &ledger.trust(), &options);
    refused(&report, Fault::Stale, "tree");
    let policy = report.reasons.iter().filter(|r| r.fault == Fault::Policy);
    assert_eq!(policy.count(), 5, "{:#?}", report.reasons);
    let report = verify(&file, &trusting(&key(99).public()), &options);
    refused(&report, Fault::Unpinned, "trust");
}
