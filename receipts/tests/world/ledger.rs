use receipt_core::checkpoint::Checkpoint;
use receipt_core::commit::Content;
use receipt_core::genesis;
use receipt_core::hash::{Digest, hex};
use receipt_core::heads::{self, Head, HeadProof, Heads};
use receipt_core::key::{PrivateKey, PublicKey, Use};
use receipt_core::keychain::KeyChange;
use receipt_core::record::{Flags, Kind, LEDGER_STREAM, Signed, stream_id};
use receipt_core::seal::{Draft, Place, Record, Time, seal};
use receipt_core::tree::{Frontier, NodeSource, inclusion_proof};
use receipt_gates::facts::Facts;
use receipt_gates::fold::Stream;
use receipt_gates::profile::Profile;
use receipt_gates::record::RecordView;
use receipt_gates::verdict::VerdictFacts;
use receipt_receipts::build::{self, Input};
use receipt_receipts::disclose::Disclose;
use receipt_receipts::tier::Tier;
use receipt_receipts::trust::{TrustFile, allowed_signers_line};
use receipt_receipts::verify::{self, Options, Report};
use std::collections::BTreeMap;

/// Microseconds since 1970 at which every test ledger begins.
pub(crate) const START: u64 = 1_790_000_000_000_000;

/// A private key of a seed.
pub(crate) fn key(seed: u8) -> PrivateKey {
    PrivateKey::from_seed(&[seed; 32]).unwrap()
}

#[derive(Default)]
struct Nodes(BTreeMap<(u32, u64), Digest>);

impl NodeSource for Nodes {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        self.0.get(&(level, index)).copied()
    }
}

/// A ledger with its keys.
pub(crate) struct Ledger {
    pub(crate) id: Digest,
    pub(crate) identity: PrivateKey,
    pub(crate) record_key: PrivateKey,
    pub(crate) verdict_key: PrivateKey,
    pub(crate) checkpoint_key: PrivateKey,
    pub(crate) records: Vec<Record>,
    pub(crate) profile: Vec<u8>,
    pub(crate) tier: Tier,
    nodes: Nodes,
    frontier: Frontier,
    heads: Heads,
    folds: BTreeMap<Digest, Stream>,
    /// From which the secrets of its records come.
    pub(crate) secret: u8,
}

impl Ledger {
    pub(crate) fn new(seed: u8) -> Self {
        Self::with_keys(
            seed,
            [key(seed), key(seed + 1), key(seed + 2), key(seed + 3)],
        )
    }

    /// Identity, record, verdict and checkpoint key.
    pub(crate) fn with_keys(seed: u8, keys: [PrivateKey; 4]) -> Self {
        let [identity, record_key, verdict_key, checkpoint_key] = keys;
        let random = [seed; 32];
        let facts = genesis::facts(
            &random,
            &identity,
            &record_key.public(),
            &verdict_key.public(),
            &checkpoint_key.public(),
        );
        let mut ledger = Self {
            id: receipt_core::record::ledger_id(&random, &identity.public()),
            identity,
            record_key,
            verdict_key,
            checkpoint_key,
            records: Vec::new(),
            profile: Profile::default().to_bytes(),
            tier: Tier::SameUser,
            nodes: Nodes::default(),
            frontier: Frontier::default(),
            heads: Heads::new(),
            folds: BTreeMap::new(),
            secret: seed,
        };
        ledger.append(Kind::Genesis, 0, LEDGER_STREAM, Content::of_facts(facts));
        ledger
    }

    pub(crate) fn size(&self) -> u64 {
        self.records.len() as u64
    }

    /// Appends a record of a kind that no version knows yet.
    pub(crate) fn append_as(&mut self, kind: u16, stream: Digest, content: Content) {
        let mut record = self.seal(Kind::Other, 0, stream, content);
        let mut header = record.header().clone();
        header.kind = kind;
        record.signed = Signed::sign(header, &self.record_key);
        self.push(record);
    }

    /// Appends a record as the service does.
    pub(crate) fn append(
        &mut self,
        kind: Kind,
        flags: u32,
        stream: Digest,
        content: Content,
    ) -> u64 {
        let record = self.seal(kind, flags, stream, content);
        self.push(record);
        self.size() - 1
    }

    /// The next record, before it is appended.
    pub(crate) fn seal(&self, kind: Kind, flags: u32, stream: Digest, content: Content) -> Record {
        let seq = self.size();
        let before = self.heads.get(&stream);
        let place = Place {
            ledger: self.id,
            seq,
            prev: self.records.last().map_or([0; 32], |r| r.signed.link()),
            stream_seq: before.map_or(0, |h| h.stream_seq + 1),
            stream_prev: before.map_or([0; 32], |h| h.link),
            time: Time {
                wall_us: START + seq * 1_000_000,
                mono_ns: (1 << 60) + seq * 1_000_000_000,
                boot: 0xb007,
            },
        };
        let draft = Draft {
            kind,
            flags,
            stream,
            client_event: u128::from(seq) * 0x1_0001_0001_0001,
            client_us: START + seq * 1_000_000 - 900,
            policy: [7; 32],
            secret: receipt_core::hash::Hasher::new(receipt_core::hash::Context::GroupSalt)
                .fixed(&[self.secret; 32])
                .number(seq)
                .finish(),
            content,
        };
        seal(draft, place, &self.record_key)
    }

    /// Puts a finished record at the end, whatever it says.
    pub(crate) fn push(&mut self, record: Record) {
        let header = record.header();
        let head = Head {
            stream_seq: header.stream_seq,
            seq: header.seq,
            link: record.signed.link(),
        };
        self.heads.insert(header.stream, head);
        for node in self.frontier.push(&record.signed.leaf()) {
            self.nodes.0.insert((node.level, node.index), node.hash);
        }
        self.records.push(record);
    }

    /// Puts new keys in force, of seeds, as the service does.
    pub(crate) fn rotate(&mut self, new: &[(Use, u8)]) -> u64 {
        let new: Vec<(Use, PrivateKey)> = new.iter().map(|(of, seed)| (*of, key(*seed))).collect();
        let named: Vec<(Use, &PrivateKey)> = new.iter().map(|(of, key)| (*of, key)).collect();
        let change = KeyChange::new(&self.identity, &self.id, &named, false);
        let content = Content::of_facts(change.facts());
        let seq = self.append(Kind::Key, 0, LEDGER_STREAM, content);
        for (of, key) in new {
            match of {
                Use::Record => self.record_key = key,
                Use::Verdict => self.verdict_key = key,
                Use::Checkpoint => self.checkpoint_key = key,
            }
        }
        seq
    }

    /// Appends an event with facts and applies it to the stream's fold.
    pub(crate) fn event(&mut self, stream: Digest, kind: Kind, facts: &Facts) -> u64 {
        let content = Content::of_facts(serde_json::to_vec(facts).unwrap());
        self.event_with(stream, kind, facts, content)
    }

    pub(crate) fn event_with(
        &mut self,
        stream: Digest,
        kind: Kind,
        facts: &Facts,
        content: Content,
    ) -> u64 {
        let flags = if facts.open.is_some() {
            Flags::OPENS_TURN
        } else {
            0
        };
        let seq = self.append(kind, flags, stream, content);
        let view = RecordView::new(self.records.last().unwrap().header(), Some(facts));
        self.folds.entry(stream).or_default().apply(&view);
        seq
    }

    /// What the gates say now.
    pub(crate) fn verdict(&self, stream: &Digest) -> VerdictFacts {
        let profile = Profile::parse(&self.profile).unwrap();
        let fold = self.folds[stream].fold().expect("an open turn");
        fold.verdict(&profile, &self.profile)
    }

    pub(crate) fn carry(&self, stream: &Digest) -> Option<receipt_gates::facts::Carry> {
        self.folds.get(stream).and_then(Stream::carry)
    }

    /// Records the verdict that the gates give.
    pub(crate) fn conclude(&mut self, stream: Digest) -> u64 {
        let verdict = self.verdict(&stream);
        self.conclude_with(stream, Kind::VerdictStop, verdict)
    }

    pub(crate) fn conclude_with(
        &mut self,
        stream: Digest,
        kind: Kind,
        verdict: VerdictFacts,
    ) -> u64 {
        let facts = Facts {
            verdict: Some(verdict),
            ..Facts::default()
        };
        self.event(stream, kind, &facts)
    }

    /// Appends the heads record and signs the checkpoint.
    pub(crate) fn checkpoint(&mut self) -> Sealed {
        let mut sessions = self.heads.clone();
        sessions.remove(&LEDGER_STREAM);
        let facts = format!(
            "{{\"heads\":{{\"root\":\"{}\",\"count\":{},\"keys\":{}}}}}",
            hex(&heads::root(&sessions)),
            sessions.len(),
            self.key_records(self.size()).len()
        );
        self.append(
            Kind::Heads,
            0,
            LEDGER_STREAM,
            Content::of_facts(facts.into()),
        );
        Sealed {
            size: self.size(),
            note: self.note(),
            sessions,
        }
    }

    /// A checkpoint over all records as they are.
    pub(crate) fn note(&self) -> String {
        let checkpoint = Checkpoint {
            ledger: self.id,
            size: self.size(),
            root: self.frontier.root(),
        };
        checkpoint.sign(&self.checkpoint_key)
    }

    pub(crate) fn proof(&self, seq: u64, size: u64) -> Vec<Digest> {
        inclusion_proof(&self.nodes, seq, size).unwrap()
    }

    /// All records of a stream below a size.
    pub(crate) fn stream(&self, stream: &Digest, size: u64) -> Vec<Record> {
        let of = |r: &&Record| r.header().stream == *stream && r.header().seq < size;
        self.records.iter().filter(of).cloned().collect()
    }

    /// The receipt of the turn that ends with record `verdict`.
    pub(crate) fn receipt(&self, verdict: u64, sealed: &Sealed, disclose: Disclose) -> Vec<u8> {
        let parts = self.parts(verdict, sealed);
        build::build(&parts.input(self, disclose)).unwrap()
    }

    pub(crate) fn parts(&self, verdict: u64, sealed: &Sealed) -> Parts {
        let stream = self.records[verdict as usize].header().stream;
        let all = self.stream(&stream, sealed.size);
        let end = all.iter().position(|r| r.header().seq == verdict).unwrap();
        let opens = |r: &Record| r.header().has(Flags::OPENS_TURN);
        let start = all[..=end].iter().rposition(opens).unwrap();
        Parts {
            stream,
            range: all[start..=end].to_vec(),
            tail: all[end + 1..].iter().map(|r| r.signed.clone()).collect(),
            genesis: self.records[0].clone(),
            genesis_proof: self.proof(0, sealed.size),
            heads: self.records[sealed.size as usize - 1].clone(),
            heads_proof: self.proof(sealed.size - 1, sealed.size),
            head: heads::prove(&sealed.sessions, &stream).unwrap(),
            verdict_proof: self.proof(verdict, sealed.size),
            note: sealed.note.clone(),
            keys: self.key_records(sealed.size),
        }
    }

    fn key_records(&self, size: u64) -> Vec<(Record, Vec<Digest>)> {
        let changes = self.records[..size as usize].iter();
        let changes = changes.filter(|r| r.header().kind() == Some(Kind::Key));
        changes
            .map(|r| (r.clone(), self.proof(r.header().seq, size)))
            .collect()
    }

    pub(crate) fn trust(&self) -> TrustFile {
        trusting(&self.identity.public())
    }
}

/// A checkpoint with the heads it commits.
pub(crate) struct Sealed {
    pub(crate) size: u64,
    pub(crate) note: String,
    pub(crate) sessions: Heads,
}

/// The parts of a receipt, to be exchanged one by one.
pub(crate) struct Parts {
    pub(crate) stream: Digest,
    pub(crate) range: Vec<Record>,
    pub(crate) tail: Vec<Signed>,
    pub(crate) genesis: Record,
    pub(crate) genesis_proof: Vec<Digest>,
    pub(crate) heads: Record,
    pub(crate) heads_proof: Vec<Digest>,
    pub(crate) head: HeadProof,
    pub(crate) verdict_proof: Vec<Digest>,
    pub(crate) note: String,
    pub(crate) keys: Vec<(Record, Vec<Digest>)>,
}

impl Parts {
    pub(crate) fn input<'a>(&'a self, ledger: &'a Ledger, disclose: Disclose) -> Input<'a> {
        Input {
            keys: &self.keys,
            ledger: ledger.id,
            stream: self.stream,
            tier: ledger.tier,
            records: &self.range,
            tail: &self.tail,
            genesis: &self.genesis,
            genesis_proof: &self.genesis_proof,
            heads: &self.heads,
            heads_proof: &self.heads_proof,
            head: &self.head,
            verdict_proof: &self.verdict_proof,
            note: &self.note,
            profile: &ledger.profile,
            verdict_key: &ledger.verdict_key,
            disclose,
        }
    }
}

pub(crate) fn trusting(identity: &PublicKey) -> TrustFile {
    TrustFile::parse(&allowed_signers_line(identity, "ada@example.org")).unwrap()
}

pub(crate) fn session(name: &str) -> Digest {
    stream_id("claude-code", name)
}

pub(crate) fn options() -> Options {
    Options {
        now_us: START + 3_600_000_000,
        ..Options::default()
    }
}

pub(crate) fn check(ledger: &Ledger, file: &[u8]) -> Report {
    verify::verify(file, &ledger.trust(), &options())
}
