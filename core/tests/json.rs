//! Lenient and strict JSON.

use proptest::prelude::*;
use receipt_core::json::lenient;
use receipt_core::json::strict::{self, StrictError};
use receipt_core::limits::MAX_JSON_DEPTH;
use serde_json::{Value, json};
use std::time::Instant;

fn mended(bytes: &[u8]) -> Value {
    let read = lenient::parse(bytes);
    assert!(read.repaired, "{}", String::from_utf8_lossy(bytes));
    read.value.unwrap()
}

#[test]
fn what_is_right_is_not_touched() {
    let text = br#"{"a": "\ud83d\ude00 \\ud83d \u00e9", "b": [1.5, -2, null]}"#;
    let read = lenient::parse(text);
    assert!(!read.repaired);
    assert_eq!(
        read.value.unwrap(),
        json!({"a": "😀 \\ud83d é", "b": [1.5, -2, null]})
    );
}

#[test]
fn broken_text_is_mended() {
    assert_eq!(mended(b"\xef\xbb\xbf{\"a\":1}\r\n"), json!({"a": 1}));
    assert_eq!(
        mended(b"{\"a\":\"x\xffy\xc3\"}"),
        json!({"a": "x\u{fffd}y\u{fffd}"})
    );
    assert_eq!(mended(br#"["\ud83d"]"#), json!(["\u{fffd}"]));
    assert_eq!(
        mended(br#"["\ud83dx\uD83D\uDE00\ude00"]"#),
        json!(["\u{fffd}x😀\u{fffd}"])
    );
    assert_eq!(mended(br#"["\ud83d\ud83d\ude00"]"#), json!(["\u{fffd}😀"]));
    assert_eq!(
        mended(br#"["\\\ud83d\\ud83d"]"#),
        json!(["\\\u{fffd}\\ud83d"])
    );
    assert_eq!(mended(br#"["\ud83d\n"]"#), json!(["\u{fffd}\n"]));
}

#[test]
fn what_is_no_json_gives_no_value() {
    let deep = "[".repeat(1_000_000);
    for text in [
        "",
        "{",
        "{\"a\":\"\\ud8",
        "\\",
        "\"\\u",
        deep.as_str(),
        "{} {}",
    ] {
        assert_eq!(lenient::parse(text.as_bytes()).value, None);
    }
}

#[test]
fn a_large_input_is_read_in_linear_time() {
    let start = Instant::now();
    let text = format!("[\"{}\"]", "\\ud83d".repeat(8_000_000));
    assert!(mended(text.as_bytes()).is_array());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn strict_reads_what_we_write() {
    let value = json!({"a": [1, -9_007_199_254_740_992_i64, 0], "b": {"": "é\n\"\\"}, "c": [true, false, null]});
    assert_eq!(strict::parse(value.to_string().as_bytes()), Ok(value));
    assert_eq!(strict::parse(b" [ ] \n"), Ok(json!([])));
}

#[test]
fn strict_refuses_what_readers_disagree_on() {
    let refused = |text: &[u8]| strict::parse(text).unwrap_err();
    assert_eq!(refused(b"\xef\xbb\xbf{}"), StrictError::ByteOrderMark);
    assert_eq!(refused(b"[\"\xff\"]"), StrictError::NotUtf8 { at: 2 });
    assert_eq!(refused(b"{} x"), StrictError::Trailing { at: 3 });
    assert_eq!(refused(b"{}{}"), StrictError::Trailing { at: 2 });
    assert_eq!(refused(b""), StrictError::Truncated { at: 0 });
    assert_eq!(refused(b"[1,"), StrictError::Truncated { at: 3 });
    assert_eq!(refused(b"[1,]"), StrictError::Unexpected { at: 3 });
    assert_eq!(refused(b"[\"a"), StrictError::Truncated { at: 3 });
    assert_eq!(
        refused(b"{\"a\":1,\"a\":2}"),
        StrictError::DuplicateKey { at: 7 }
    );
    assert_eq!(
        refused(b"{\"a\":1,\"\\u0061\":2}"),
        StrictError::DuplicateKey { at: 7 }
    );
    for number in [
        "1.0",
        "1e3",
        "-0",
        "01",
        "-",
        "9007199254740993",
        "-9007199254740993",
        "1+1",
        "99999999999999999999",
    ] {
        assert_eq!(
            refused(number.as_bytes()),
            StrictError::BadNumber { at: 0 },
            "{number}"
        );
    }
    for string in [
        r#""\ud83d""#,
        r#""\ude00\ud83d""#,
        r#""\x""#,
        "\"\u{1}\"",
        r#""\u12""#,
    ] {
        assert_eq!(
            refused(string.as_bytes()),
            StrictError::BadString { at: 0 },
            "{string}"
        );
    }
    for text in [
        "nul",
        "NaN",
        "'a'",
        "{a:1}",
        "[1 2]",
        "+1",
        "{\"a\" 1}",
        "\\",
    ] {
        assert!(strict::parse(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn strict_bounds_the_depth() {
    let nested = |depth: usize| [b"[".repeat(depth), b"]".repeat(depth)].concat();
    assert!(strict::parse(&nested(MAX_JSON_DEPTH)).is_ok());
    let deeper = strict::parse(&nested(MAX_JSON_DEPTH + 1)).unwrap_err();
    assert_eq!(deeper, StrictError::TooDeep { at: MAX_JSON_DEPTH });
    assert!(strict::parse(&b"{\"a\":".repeat(1_000_000)).is_err());
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-strict::MAX_INTEGER..=strict::MAX_INTEGER).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn both_readers_agree_on_our_json(value in any_value()) {
        let text = value.to_string();
        prop_assert_eq!(strict::parse(text.as_bytes()), Ok(value.clone()));
        let read = lenient::parse(text.as_bytes());
        prop_assert_eq!(read.value, Some(value));
        prop_assert!(!read.repaired);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        let _ = lenient::parse(&bytes);
        if let Ok(value) = strict::parse(&bytes) {
            prop_assert_eq!(serde_json::from_slice::<Value>(&bytes).unwrap(), value);
        }
    }

    #[test]
    fn escapes_in_any_order_are_mended(parts in proptest::collection::vec(
        prop_oneof![Just("\\ud83d"), Just("\\ude00"), Just("\\\\"), Just("\\n"), Just("x"), Just("u"), Just("\\\"")], 0..30)) {
        let text = format!("\"{}\"", parts.concat());
        prop_assert!(lenient::parse(text.as_bytes()).value.is_some(), "{}", text);
    }
}
