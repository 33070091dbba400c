//! Steps 24 to 27: whether the receipt is trusted and strong enough.

use super::log::{At, Checked, Failure, Halt, Log, seen};
use super::options::Options;
use super::outcome::Fault;
use crate::statement::Statement;
use crate::trust::{Pin, TrustFile};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::hash::hex;
use receipt_core::key::PublicKey;
use receipt_core::record::{Header, Kind};
use receipt_gates::profile::Profile;
use receipt_gates::verdict::{Basis, Verdict, VerdictFacts};
use serde_json::Value;

/// Step 24. Yields the principals that the trust file names for the identity,
/// the first of the keys that signed here.
pub(super) fn step_trust(
    trust: &TrustFile,
    options: &Options,
    signed: &[&PublicKey],
) -> Checked<String> {
    let Some(identity) = signed.first() else {
        return Err(Failure::invalid("no key signed"));
    };
    let key = hex(identity.as_bytes());
    let refused = |why: &str| Err(Failure::new(Fault::Unpinned, format!("{why} ({key})")));
    if let Some(revoked) = signed.iter().find(|key| options.revoked.has(key)) {
        let found = format!(
            "a key that signed here is revoked: {}",
            hex(revoked.as_bytes())
        );
        return Err(Failure::new(Fault::Unpinned, found));
    }
    match trust.pin(identity, options.now_us) {
        Pin::Valid(principals) => {
            let found = format!("pinned for {principals}");
            seen(principals, found)
        }
        Pin::Empty => refused("the trust file holds no key; the signer's key is not pinned"),
        Pin::Unknown => refused("the signer's identity key is not in the trust file"),
        Pin::OtherNamespace => refused("the trust file has the key for other namespaces only"),
        Pin::Early => refused("the trust file's line for the key is not valid yet"),
        Pin::Late => refused("the trust file's line for the key is no longer valid"),
    }
}

/// Step 25.
pub(super) fn step_verdict(verdict: &VerdictFacts) -> Checked<()> {
    let said = |what: &str| format!("{what}, {}", verdict.action.as_str());
    match verdict.verdict {
        Verdict::Pass => seen((), said("pass")),
        Verdict::Block => Err(Failure::new(Fault::Blocked, said("the verdict is block"))),
        Verdict::Undetermined => Err(Failure::new(
            Fault::Undetermined,
            said("the verdict is undetermined"),
        )),
    }
}

/// What the policy step looks at.
pub(super) struct Policy<'a> {
    pub(super) options: &'a Options,
    pub(super) verdict: &'a VerdictFacts,
    pub(super) profile: &'a Profile,
    pub(super) statement: &'a Statement,
    pub(super) header: &'a Header,
}

/// Step 26. Every weakness is named.
pub(super) fn step_policy(log: &mut Log, policy: &Policy<'_>) -> Result<(), Halt> {
    let weak: Vec<String> = [
        policy.pending(),
        policy.basis(),
        policy.carried(),
        policy.weaknesses(),
        policy.required(),
        policy.tier(),
        policy.age(),
    ]
    .into_iter()
    .flatten()
    .collect();
    if weak.is_empty() {
        return log.take(At::Policy, seen((), policy.found()));
    }
    for text in &weak {
        log.object(At::Policy, Fault::Policy, text.clone());
    }
    log.enter(At::Policy, false, None, weak.join("; "));
    Err(Halt)
}

impl Policy<'_> {
    fn found(&self) -> String {
        let basis = self.verdict.basis.map_or("none", Basis::as_str);
        format!("basis {basis}, tier {}", self.statement.tier.shown().word())
    }

    fn pending(&self) -> Vec<String> {
        let interim = self.header.kind() == Some(Kind::VerdictInterim);
        list(interim.then(|| "pending: an interim verdict, the turn goes on".to_string()))
    }

    fn basis(&self) -> Vec<String> {
        let accepted =
            |basis: Basis| basis == Basis::Checked || self.options.accept.contains(&basis);
        let weak = self.verdict.basis.filter(|b| !accepted(*b));
        list(weak.map(|basis| format!("basis {}, not checked", basis.as_str())))
    }

    fn carried(&self) -> Vec<String> {
        let open = self.verdict.carried.as_ref();
        list(open.map(|_| "something is open from an earlier turn".to_string()))
    }

    fn weaknesses(&self) -> Vec<String> {
        let named = self.profile.weaknesses();
        let say = |weakness: String| format!("weaker profile: {}", crate::encode::shown(&weakness));
        named.into_iter().map(say).collect()
    }

    fn required(&self) -> Vec<String> {
        let missing = |gate: &&String| {
            !self.verdict.gates.contains_key(*gate) || !self.profile.enforces(gate)
        };
        let gates = self.options.require.iter().filter(missing);
        gates
            .map(|gate| format!("gate {} is not in force", crate::encode::shown(gate)))
            .collect()
    }

    fn tier(&self) -> Vec<String> {
        let (claimed, shown) = (self.statement.tier, self.statement.tier.shown());
        let Some(minimum) = self.options.tier.filter(|minimum| shown < *minimum) else {
            return Vec::new();
        };
        let claim = if claimed == shown {
            ""
        } else {
            " (more is claimed, but not shown)"
        };
        list(Some(format!(
            "tier {}{claim}, below {}",
            shown.word(),
            minimum.word()
        )))
    }

    /// By the signer's own clock: nothing here proves when the record was made.
    fn age(&self) -> Vec<String> {
        let Some(max) = self.options.max_age_us else {
            return Vec::new();
        };
        let age = self.options.now_us.checked_sub(self.header.wall_us);
        let text = match age {
            Some(age) if age <= max => None,
            Some(age) => Some(format!(
                "{} seconds old by the signer's clock, more than {}",
                age / 1_000_000,
                max / 1_000_000
            )),
            None => Some("made in the future by the signer's clock".to_string()),
        };
        list(text)
    }
}

fn list(text: Option<String>) -> Vec<String> {
    text.into_iter().collect()
}

/// Step 27, where there is something to compare with.
pub(super) fn step_tree(subject: &str, verdict: &Value) -> Checked<()> {
    let stated = verdict.get("tree").and_then(Value::as_str);
    match stated {
        Some(tree) if tree == subject => seen((), format!("tree {tree}")),
        Some(tree) => Err(
            Failure::new(Fault::Stale, format!("the receipt is about tree {tree}"))
                .expected(format!("tree {subject}")),
        ),
        None => Err(Failure::new(Fault::Stale, "the receipt names no tree")
            .expected(format!("tree {subject}"))),
    }
}
