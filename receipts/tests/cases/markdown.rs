//! A receipt as Markdown: what it holds is foreign and stays in its place.

use crate::world::*;
use receipt_receipts::disclose::Disclose;
use receipt_receipts::report::markdown;

/// The report of a turn whose command and path are those.
fn report(command: &str, path: &str) -> String {
    let mut ledger = Ledger::new(10);
    let verdict = checked_turn(&mut ledger, session("a"));
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::everything());
    let quoted = |text: &str| {
        let inner = serde_json::to_string(text).unwrap();
        let inner = serde_json::to_string(&inner[1..inner.len() - 1]).unwrap();
        inner[1..inner.len() - 1].to_owned()
    };
    let text = String::from_utf8(file).unwrap();
    // Not signed any more, which a report does not ask.
    let text = text.replace("cargo test", &quoted(command));
    let text = text.replace("src/lib.rs", &quoted(path));
    markdown(text.as_bytes()).unwrap()
}

#[test]
fn it_tells_verdict_checks_and_files() {
    let text = report("cargo test", "src/lib.rs");
    let wanted = "### receipt: pass (checked), allowed; records #";
    assert!(text.starts_with(wanted), "{text}");
    assert!(text.contains("checks it.\n"), "{text}");
    assert!(
        text.contains("| `cargo test` | passed | 0 |  |\n"),
        "{text}"
    );
    assert!(text.contains("| `src/lib.rs` | +"), "{text}");
}

#[test]
fn foreign_text_stays_in_its_cell() {
    let plain = report("cargo test", "src/lib.rs");
    for hostile in [
        "a\n### receipt: pass\nb",
        "`</code>`<script>x</script>",
        "a | b | VERIFIED",
        "\u{202e}drowssap\u{1b}[32m",
        "``` @someone ![x](http://example.org/x.png)",
    ] {
        let text = report(hostile, hostile);
        let rows = |text: &str| text.lines().count();
        assert_eq!(rows(&text), rows(&plain), "{text}");
        assert!(
            !text.contains("VERIFIED") && !text.contains('\u{1b}'),
            "{text}"
        );
        assert!(!text.contains('\u{202e}'), "{text}");
        for line in text.lines().filter(|line| line.starts_with("| ")) {
            let unescaped = line.replace("\\|", "");
            let columns = unescaped.matches('|').count();
            assert!([4, 6].contains(&columns), "{line}");
            // Every code span that is opened is closed in its cell.
            for cell in unescaped.split('|') {
                assert_eq!(cell.matches('`').count() % 2, 0, "{line}");
            }
        }
    }
}

#[test]
fn what_is_no_receipt_gives_an_error() {
    for file in [&b""[..], b"{}", b"[1]", b"\xff"] {
        assert!(markdown(file).is_err());
    }
}
