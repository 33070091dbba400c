//! The trust file.

use crate::world::*;
use receipt_receipts::trust::{Pin, TrustFile, Wrong, allowed_signers_line};
use receipt_receipts::verify::{Fault, Options, Outcome, verify};

const DAY: u64 = 86_400_000_000;

fn line(options: &str, seed: u8) -> String {
    let bare = allowed_signers_line(&key(seed).public(), "ada@example.org");
    bare.replace("namespaces=\"receipt\"", options)
        .replace("  ", " ")
}

fn pin(text: &str, now_us: u64) -> Pin {
    TrustFile::parse(text)
        .unwrap()
        .pin(&key(10).public(), now_us)
}

fn wrong(text: &str) -> (usize, Wrong) {
    let error = TrustFile::parse(text).unwrap_err();
    (error.line, error.why)
}

#[test]
fn an_empty_trust_file_trusts_nobody() {
    let (_, file) = good();
    for text in ["", "\n\n", "# only a comment\n", "   \t\n#x"] {
        let trust = TrustFile::parse(text).unwrap();
        assert!(trust.entries().is_empty());
        let report = verify(&file, &trust, &options());
        refused(&report, Fault::Unpinned, "trust");
        assert_eq!(report.outcome.exit_code(), 20);
    }
}

#[test]
fn a_line_that_was_written_is_read() {
    let public = key(10).public();
    for principal in ["ada@example.org", "Ada Lovelace", "#ada", "", "a\"b\n", "é"] {
        let line = allowed_signers_line(&public, principal);
        assert_eq!(line.lines().count(), 1, "{line}");
        let trust = TrustFile::parse(&line).unwrap();
        assert_eq!(trust.entries()[0].key, public);
        assert!(matches!(trust.pin(&public, 0), Pin::Valid(_)));
    }
}

#[test]
fn namespaces_must_allow_receipts() {
    for (options, valid) in [
        ("", true),
        ("namespaces=\"receipt\"", true),
        ("namespaces=\"git,receipt\"", true),
        ("NAMESPACES=\"git, receipt\"", true),
        ("namespaces=\"*\"", true),
        ("namespaces=\"rec*t\"", true),
        ("namespaces=\"recei??\"", true),
        ("namespaces=\"git\"", false),
        ("namespaces=\"\"", false),
        ("namespaces=\"receipts\"", false),
        ("namespaces=\"*,!receipt\"", false),
        ("namespaces=\"!git\"", false),
        ("namespaces=\"rec?\"", false),
    ] {
        let expected = if valid {
            Pin::Valid("ada@example.org".into())
        } else {
            Pin::OtherNamespace
        };
        assert_eq!(pin(&line(options, 10), 0), expected, "{options}");
    }
}

#[test]
fn validity_is_by_the_verifiers_clock() {
    // 2026-09-21 and the two days around it.
    let day = 20_717 * DAY;
    let valid = || Pin::Valid("ada@example.org".into());
    let after = line("valid-after=\"20260921Z\"", 10);
    assert_eq!(pin(&after, day - 1), Pin::Early);
    assert_eq!(pin(&after, day), valid());
    let before = line("valid-before=\"20260921000000Z\"", 10);
    assert_eq!(pin(&before, day), valid());
    assert_eq!(pin(&before, day + 1_000_000), Pin::Late);
    let both = line(
        "valid-after=\"20260920Z\",valid-before=\"202609211200UTC\"",
        10,
    );
    assert_eq!(pin(&both, day), valid());
    assert_eq!(pin(&both, day + DAY), Pin::Late);
    // Without a zone, the shortest validity that any zone gives.
    let local = line("valid-after=\"20260921\"", 10);
    assert_eq!(pin(&local, day), Pin::Early);
    assert_eq!(pin(&local, day + DAY / 2), valid());
    let local = line("valid-before=\"20260921\"", 10);
    assert_eq!(pin(&local, day), Pin::Late);
    assert_eq!(pin(&local, day - 14 * 3_600_000_000), valid());
    // One valid line is enough.
    assert_eq!(pin(&format!("{before}{after}"), day + DAY), valid());
}

#[test]
fn a_line_that_is_not_valid_pins_nothing() {
    let (ledger, file) = good();
    for options in [
        "namespaces=\"git\"",
        "valid-after=\"29990101Z\"",
        "valid-before=\"20000101Z\"",
        "cert-authority",
    ] {
        let trust = TrustFile::parse(&line(options, 10)).unwrap();
        let report = verify(&file, &trust, &self::options_at(START));
        refused(&report, Fault::Unpinned, "trust");
    }
    let fine = TrustFile::parse(&line("valid-before=\"29990101Z\"", 10)).unwrap();
    assert_eq!(
        verify(&file, &fine, &options_at(START)).outcome,
        Outcome::Verified
    );
    assert_eq!(ledger.identity.public(), key(10).public());
}

fn options_at(now_us: u64) -> Options {
    Options {
        now_us,
        ..Options::default()
    }
}

#[test]
fn what_is_no_ed25519_key_is_noted_and_ignored() {
    let text = format!(
        "# trusted\n\nbob ssh-rsa AAAAB3NzaC1yc2E= bob\n\
         eve sk-ssh-ed25519@openssh.com AAAA\n{}{}",
        line("cert-authority,namespaces=\"receipt\"", 11),
        line("", 10),
    );
    let trust = TrustFile::parse(&text).unwrap();
    assert_eq!(trust.entries().len(), 1);
    assert_eq!(trust.entries()[0].line, 6);
    let noted: Vec<usize> = trust.notes().iter().map(|n| n.line).collect();
    assert_eq!(noted, [3, 4, 5]);
    assert_eq!(trust.pin(&key(11).public(), 0), Pin::Unknown);
}

#[test]
fn comments_quotes_and_line_ends_are_read_as_openssh_does() {
    let base = line("", 10);
    let base = base.trim_end();
    for text in [
        format!("{base} a comment with words\r\n"),
        format!("  \t{base}"),
        base.replace(' ', "\t"),
        base.replace("ada@example.org", "\"ada lovelace\""),
        base.replace(
            "ada@example.org",
            "ada@example.org,*@example.com,!eve@example.com",
        ),
    ] {
        assert!(matches!(pin(&text, 0), Pin::Valid(_)), "{text}");
    }
}

#[test]
fn a_line_that_cannot_be_understood_is_named() {
    let good = line("", 10);
    let second = |bad: &str| wrong(&format!("{good}{bad}\n"));
    assert_eq!(second("ada"), (2, Wrong::NoKey));
    assert_eq!(second("ada ssh-ed25519"), (2, Wrong::NoKey));
    assert_eq!(second("ada nonsense ssh-ed25519 AAAA"), (2, Wrong::Option));
    assert_eq!(second("ada \"quoted ssh-ed25519 AAAA"), (2, Wrong::Quote));
    assert_eq!(second("ada ssh-ed25519 AAAA"), (2, Wrong::Encoding));
    assert_eq!(second("ada ssh-ed25519 A!"), (2, Wrong::Encoding));
    for time in [
        "2026",
        "20261301Z",
        "20260230Z",
        "202609212460Z",
        "2026092112Z",
        "x",
        "19691231Z",
    ] {
        let bad = line(&format!("valid-after=\"{time}\""), 10);
        assert_eq!(wrong(&bad), (1, Wrong::Time), "{time}");
    }
    for options in [
        "valid-after=20260921Z",
        "namespaces=\"receipt\",namespaces=\"git\"",
        "no-touch-required",
        "namespaces",
    ] {
        assert_eq!(wrong(&line(options, 10)), (1, Wrong::Option), "{options}");
    }
    let large = "#".repeat((1 << 20) + 1);
    assert_eq!(wrong(&large), (0, Wrong::TooLarge));
}

#[test]
fn weak_keys_are_refused_by_line() {
    let mut identity_point = [0u8; 32];
    identity_point[0] = 1;
    let mut order_two = [0xffu8; 32];
    order_two[0] = 0xec;
    order_two[31] = 0x7f;
    let not_canonical = {
        let mut bytes = [0xffu8; 32];
        bytes[0] = 0xee;
        bytes[31] = 0x7f;
        bytes
    };
    for bytes in [identity_point, order_two, not_canonical, [0; 32]] {
        let mut blob = b"\0\0\0\x0bssh-ed25519\0\0\0\x20".to_vec();
        blob.extend_from_slice(&bytes);
        let bad = format!("eve ssh-ed25519 {}\n", data_encoding::BASE64.encode(&blob));
        let (at, why) = wrong(&format!("# first\n{bad}"));
        assert_eq!(at, 2);
        assert!(matches!(why, Wrong::Key(_)), "{why}");
    }
}
