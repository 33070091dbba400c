use super::{Vector, bytes_of, run};
use receipt_core::commit::{Commitments, Content, Group, evidence_salt, group_salt};
use receipt_core::key::PrivateKey;
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_core::seal::{Disclosure, Draft, Place, Record, RecordError, Time, seal};

#[test]
fn commitments() {
    run("commit", &["ok", "roots", "content"], outcome);
}

fn outcome(vector: &Vector) -> &'static str {
    let secret = vector.digest("secret");
    let salts = Group::ALL.map(|group| group_salt(&secret, group));
    assert_eq!(salts.to_vec(), vector.digests("salts"), "{}", vector.name);
    let evidence = vector.many_bytes("evidence");
    let salts: Vec<_> = (0u64..)
        .zip(&evidence)
        .map(|(i, _)| evidence_salt(&secret, i))
        .collect();
    assert_eq!(salts, vector.digests("evidence_salts"), "{}", vector.name);

    let groups: Vec<Option<Vec<u8>>> = vector
        .list("groups")
        .iter()
        .map(|group| (!group.is_null()).then(|| bytes_of(group)))
        .collect();
    let content = Content {
        groups: groups.try_into().unwrap(),
        evidence,
    };
    let commitments = Commitments {
        groups: vector.digests("commitments").try_into().unwrap(),
        evidence: vector.digests("evidence_commitments"),
    };
    let mut record = sealed(content.clone());
    record.signed.header.body_root = vector.digest("body_root");
    record.signed.header.evidence_root = vector.digest("evidence_root");
    record.commitments = commitments;
    record.disclosure = Some(Disclosure { secret, content });
    let outcome = match record.check() {
        Ok(()) => "ok",
        Err(RecordError::Roots) => "roots",
        Err(RecordError::Content) => "content",
    };
    if outcome != "roots" {
        record.disclosure = None;
        assert_eq!(record.check(), Ok(()), "{}: a pruned record", vector.name);
    }
    outcome
}

fn sealed(content: Content) -> Record {
    let draft = Draft {
        kind: Kind::Other,
        flags: 0,
        stream: LEDGER_STREAM,
        client_event: 0,
        client_us: 0,
        policy: [0; 32],
        secret: [0; 32],
        content,
    };
    let place = Place {
        ledger: [0; 32],
        seq: 0,
        prev: [0; 32],
        stream_seq: 0,
        stream_prev: [0; 32],
        time: Time::default(),
    };
    seal(draft, place, &PrivateKey::from_seed(&[1; 32]).unwrap())
}
