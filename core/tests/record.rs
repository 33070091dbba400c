//! Laws of the record header and its signature.

use proptest::prelude::*;
use receipt_core::commit::{
    Content, Group, absent_group, evidence_root, group_commitment, group_salt,
};
use receipt_core::hash::{digest_from_hex, hex};
use receipt_core::key::{PrivateKey, PublicKey};
use receipt_core::record::{
    HEADER_LEN, Header, HeaderError, Kind, LEAF_LEN, Signed, VERSION, stream_id,
};

fn key() -> PrivateKey {
    PrivateKey::from_seed(&[7; 32]).unwrap()
}

prop_compose! {
    fn headers()(
        kind: u16, flags: u32, seq: u64, stream_seq: u64,
        ids in any::<[[u8; 32]; 4]>(), roots in any::<[[u8; 32]; 3]>(),
        wall_us: u64, mono_ns: u64, boot: u128, client_us: u64, client_event: u128,
    ) -> Header {
        Header {
            version: VERSION, kind, flags, ledger: ids[0], seq, prev: ids[1],
            stream: ids[2], stream_seq, stream_prev: ids[3], wall_us, mono_ns, boot,
            client_us, client_event, body_root: roots[0], evidence_root: roots[1],
            policy: roots[2], key: key().public().id(),
        }
    }
}

fn a_header() -> Header {
    Header {
        version: VERSION,
        kind: Kind::PromptHuman.number(),
        flags: 0,
        ledger: [1; 32],
        seq: 5,
        prev: [2; 32],
        stream: stream_id("claude-code", "s"),
        stream_seq: 0,
        stream_prev: [0; 32],
        wall_us: 1,
        mono_ns: 2,
        boot: 3,
        client_us: 4,
        client_event: 5,
        body_root: [3; 32],
        evidence_root: [4; 32],
        policy: [5; 32],
        key: key().public().id(),
    }
}

proptest! {
    #[test]
    fn a_header_survives_its_encoding(header in headers()) {
        let bytes = header.encode();
        prop_assert_eq!(Header::decode(&bytes), Ok(header.clone()));
        let signed = Signed::sign(header, &key());
        prop_assert_eq!(Signed::from_leaf(&signed.leaf()), Ok(signed.clone()));
        prop_assert!(signed.verifies(&key().public()));
    }

    #[test]
    fn every_accepted_leaf_encodes_to_itself(mut bytes in proptest::collection::vec(any::<u8>(), LEAF_LEN)) {
        bytes[..2].copy_from_slice(&VERSION.to_le_bytes());
        let signed = Signed::from_leaf(&bytes).unwrap();
        prop_assert_eq!(signed.leaf(), bytes);
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..900)) {
        let wrong_length = bytes.len() != LEAF_LEN;
        let read = Signed::from_leaf(&bytes);
        prop_assert!(!wrong_length || read.is_err());
        let _ = Header::decode(&bytes);
    }

    #[test]
    fn content_differs_where_it_is_committed(
        secret: [u8; 32],
        groups in any::<[Option<Vec<u8>>; 4]>(),
        at in 0usize..4,
    ) {
        let content = Content { groups, evidence: Vec::new() };
        let root = content.commitments(&secret).body_root();
        let mut other = content.clone();
        other.groups[at] = match &content.groups[at] {
            None => Some(Vec::new()),
            Some(bytes) if bytes.is_empty() => None,
            Some(bytes) => Some(bytes[1..].to_vec()),
        };
        prop_assert_ne!(other.commitments(&secret).body_root(), root);
        let mut secret = secret;
        secret[0] ^= 1;
        let salted = content.groups.iter().any(Option::is_some);
        prop_assert_eq!(content.commitments(&secret).body_root() != root, salted);
    }
}

#[test]
fn header_len_is_the_encoded_length() {
    let mut header = a_header();
    header.key = [0xee; 32];
    let bytes = header.encode();
    assert_eq!(bytes.len(), HEADER_LEN);
    assert!(
        bytes.ends_with(&[0xee; 32]),
        "the last field fills the last bytes"
    );
}

#[test]
fn every_flipped_bit_of_a_signed_header_is_refused() {
    let leaf = Signed::sign(a_header(), &key()).leaf();
    let public = key().public();
    for bit in 0..leaf.len() * 8 {
        let mut flipped = leaf.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let refused = Signed::from_leaf(&flipped).is_ok_and(|signed| signed.verifies(&public));
        assert!(!refused, "bit {bit} is not covered");
    }
}

#[test]
fn every_other_length_is_refused() {
    let leaf = Signed::sign(a_header(), &key()).leaf();
    for length in 0..LEAF_LEN {
        assert!(Signed::from_leaf(&leaf[..length]).is_err());
    }
    for length in (0..HEADER_LEN).chain([HEADER_LEN + 1]) {
        let bytes = vec![1; length];
        assert_eq!(Header::decode(&bytes), Err(HeaderError::Length(length)));
    }
}

#[test]
fn kinds_keep_their_numbers_and_names() {
    let known: Vec<Kind> = (0..=u16::MAX).filter_map(Kind::from_number).collect();
    assert_eq!(known.len(), 32);
    for kind in known {
        assert_eq!(Kind::from_name(kind.name()), Some(kind));
    }
}

#[test]
fn groups_stand_in_the_order_of_their_numbers() {
    let names = Group::ALL.map(Group::name);
    assert_eq!(names, ["facts", "paths", "commands", "texts"]);
    for (index, group) in Group::ALL.into_iter().enumerate() {
        assert_eq!(group.index(), index);
    }
}

#[test]
fn the_page_begins_with_these_values() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/record.md");
    let page = std::fs::read_to_string(page).unwrap();
    let salt = group_salt(&[0; 32], Group::Facts);
    let key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    let values = [
        absent_group(Group::Paths),
        salt,
        group_commitment(&salt, Group::Facts, Some(b"{}")),
        evidence_root(&[]),
        stream_id("claude-code", ""),
        PublicKey::from_bytes(&digest_from_hex(key).unwrap())
            .unwrap()
            .id(),
    ];
    for value in values {
        assert!(page.contains(&hex(&value)), "{}", hex(&value));
    }
}
