use super::{Vector, run, text_of};
use receipt_core::genesis::{self, GenesisError};
use receipt_core::hash::{Context, Digest, Hasher, hex};
use receipt_core::key::{PrivateKey, PublicKey, Use};
use receipt_core::keychain::{KeyChain, KeyChange, KeyChangeError};
use receipt_core::record::{Header, HeaderError, Signed, ledger_id, stream_id};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[test]
fn records() {
    let known = [
        "ok",
        "length",
        "version",
        "key",
        "signature",
        "seq",
        "prev",
        "stream-seq",
        "stream-prev",
        "ledger",
        "malformed",
        "uses",
        "binding",
        "proof",
        "not-new",
    ];
    run("record", &known, |vector| match vector.text("what") {
        "leaf" => leaf(vector),
        "chain" => chain(vector),
        "genesis" => genesis(vector),
        "key-change" => key_change(vector),
        _ => id(vector),
    });
}

fn leaf(vector: &Vector) -> &'static str {
    let bytes = vector.bytes("leaf");
    let signed = match Signed::from_leaf(&bytes) {
        Ok(signed) => signed,
        Err(HeaderError::Length(_)) => return "length",
        Err(HeaderError::Version(_)) => return "version",
    };
    assert_eq!(signed.leaf(), bytes, "{}: encoding again", vector.name);
    let key = PublicKey::from_bytes(&vector.digest("key")).unwrap();
    let outcome = signature(&signed, &key);
    if outcome == "ok" {
        assert_eq!(&shown(&signed.header), vector.get("header"));
        assert_eq!(signed.link(), vector.digest("link"), "{}", vector.name);
    }
    outcome
}

fn signature(signed: &Signed, key: &PublicKey) -> &'static str {
    if signed.header.key != key.id() {
        assert!(!signed.verifies(key));
        "key"
    } else if signed.verifies(key) {
        "ok"
    } else {
        "signature"
    }
}

/// A header as the vectors write it.
fn shown(header: &Header) -> Value {
    let number = |n: u128| n.to_string();
    json!({
        "version": number(header.version.into()),
        "kind": number(header.kind.into()),
        "flags": number(header.flags.into()),
        "ledger": hex(&header.ledger),
        "seq": number(header.seq.into()),
        "prev": hex(&header.prev),
        "stream": hex(&header.stream),
        "stream_seq": number(header.stream_seq.into()),
        "stream_prev": hex(&header.stream_prev),
        "wall_us": number(header.wall_us.into()),
        "mono_ns": number(header.mono_ns.into()),
        "boot": number(header.boot),
        "client_us": number(header.client_us.into()),
        "client_event": number(header.client_event),
        "body_root": hex(&header.body_root),
        "evidence_root": hex(&header.evidence_root),
        "policy": hex(&header.policy),
        "key": hex(&header.key),
    })
}

/// The steps of "Verifying one record" over a whole chain.
fn chain(vector: &Vector) -> &'static str {
    let key = PublicKey::from_bytes(&vector.digest("key")).unwrap();
    let ledger = vector.digest("ledger");
    let mut prev = [0; 32];
    let mut streams: BTreeMap<Digest, (u64, Digest)> = BTreeMap::new();
    for (seq, bytes) in (0u64..).zip(vector.many_bytes("leaves")) {
        let signed = Signed::from_leaf(&bytes).unwrap();
        let header = &signed.header;
        let stream = streams.entry(header.stream).or_insert((0, [0; 32]));
        let signature = signature(&signed, &key);
        let steps = [
            (header.ledger == ledger, "ledger"),
            (signature == "ok", signature),
            (header.seq == seq, "seq"),
            (header.prev == prev, "prev"),
            (header.stream_seq == stream.0, "stream-seq"),
            (header.stream_prev == stream.1, "stream-prev"),
        ];
        if let Some((_, step)) = steps.iter().find(|(holds, _)| !holds) {
            return step;
        }
        prev = signed.link();
        *stream = (stream.0 + 1, prev);
    }
    "ok"
}

fn genesis(vector: &Vector) -> &'static str {
    let parsed = match genesis::parse(vector.text("facts").as_bytes()) {
        Ok(parsed) => parsed,
        Err(GenesisError::Malformed) => return "malformed",
        Err(GenesisError::Key(_)) => return "key",
        Err(GenesisError::Uses) => return "uses",
        Err(GenesisError::Binding(_)) => return "binding",
    };
    if parsed.ledger != vector.digest("ledger") {
        return "ledger";
    }
    if let Some(seeds) = vector.value.get("seeds") {
        let key = |name: &str| {
            let seed = super::digest_of(seeds.get(name).unwrap());
            PrivateKey::from_seed(&seed).unwrap()
        };
        let made = genesis::facts(
            &vector.digest("random"),
            &key("identity"),
            &key("record").public(),
            &key("verdict").public(),
            &key("checkpoint").public(),
        );
        assert_eq!(String::from_utf8(made).unwrap(), vector.text("facts"));
        for key_use in Use::ALL {
            assert_eq!(parsed.key(key_use), Some(&key(key_use.name()).public()));
        }
    }
    "ok"
}

fn key_change(vector: &Vector) -> &'static str {
    let genesis = genesis::parse(vector.text("genesis").as_bytes()).unwrap();
    let mut keys = KeyChain::of(&genesis);
    let Ok(change) = KeyChange::parse(vector.text("facts").as_bytes()) else {
        return "malformed";
    };
    let seq = vector.get("seq").as_u64().unwrap();
    match keys.follow(seq, &change) {
        Ok(()) => {}
        Err(KeyChangeError::Facts(_)) => return "malformed",
        Err(KeyChangeError::Binding(_)) => return "binding",
        Err(KeyChangeError::Proof(_)) => return "proof",
        Err(KeyChangeError::NotNew(_)) => return "not-new",
    }
    assert_eq!(Some(change.revoked), vector.get("revoked").as_bool());
    for key_use in Use::ALL {
        let due = super::digest_of(&vector.get("after")[key_use.name()]);
        let next = keys.at(key_use, seq + 1).map(PublicKey::as_bytes);
        assert_eq!(next, Some(&due), "{}", vector.name);
        // This record is still signed by those from before.
        assert_eq!(keys.at(key_use, seq), genesis.key(key_use));
    }
    "ok"
}

fn id(vector: &Vector) -> &'static str {
    let made = match vector.text("what") {
        "stream-id" => stream_id(vector.text("agent"), vector.text("session")),
        "ledger-id" => {
            let identity = PublicKey::from_bytes(&vector.digest("identity")).unwrap();
            ledger_id(&vector.digest("random"), &identity)
        }
        "key-id" => PublicKey::from_bytes(&vector.digest("key")).unwrap().id(),
        "keyed-id" => return keyed(vector),
        other => panic!("{}: unknown what `{other}`", vector.name),
    };
    assert_eq!(made, vector.digest("id"), "{}", vector.name);
    "ok"
}

/// Keyed ids are made in the gates crate; here their hashes are checked.
fn keyed(vector: &Vector) -> &'static str {
    let secret = Hasher::new(Context::StreamSecret)
        .fixed(&vector.digest("ledger_secret"))
        .fixed(&vector.digest("stream"))
        .finish();
    let id = Hasher::new(Context::KeyedId)
        .fixed(&secret)
        .sized(vector.text("tag").as_bytes())
        .sized(vector.text("name").as_bytes())
        .finish();
    assert_eq!(hex(&id[..8]), text_of(vector.get("id")));
    "ok"
}
