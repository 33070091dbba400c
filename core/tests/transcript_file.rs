//! Transcript files: damaged, oversized, in other forms, and cut anywhere.

use super::transcript::{bash, lines, result, short, user, words};
use proptest::prelude::*;
use receipt_core::agent::claude_code::transcript::{MAX_LINE, Reader, Transcript, parse};
use serde_json::json;
use std::fs;
use std::path::PathBuf;

#[test]
fn damaged_files_lose_only_what_is_damaged() {
    let first = user(json!("Go.")).to_string();
    let last = words("m", "Done.").to_string();
    let welded = format!("\u{feff}{first}{last}\r\n\r\n");
    let cut = format!("{first}\n{}{last}\n{{\"type\":\"us", &first[..40]);
    let lone = format!("{}\n{last}\n", first.replace("Go.", "Go.\\ud83d"));
    for (text, prompt, skipped) in [
        (welded, "Go.", 0),
        (cut, "Go.", 1),
        (lone, "Go.\u{fffd}", 0),
    ] {
        let read = parse(text.as_bytes());
        assert_eq!(
            short(&read.turns[0]),
            [format!("human: {prompt}"), "stop: Done.".to_owned()],
            "{text}"
        );
        assert_eq!(read.skipped_lines, skipped, "{text}");
    }
}

#[test]
fn an_array_of_entries_is_read_too() {
    let entries = json!([user(json!("Go [1] {2} \"3\".")), words("m", "Done.")]);
    let pretty = serde_json::to_vec_pretty(&entries).unwrap();
    for text in [entries.to_string().into_bytes(), pretty] {
        let read = parse(&text);
        assert_eq!(
            short(&read.turns[0]),
            ["human: Go [1] {2} \"3\".", "stop: Done."]
        );
        assert_eq!(read.skipped_lines, 0);
    }
}

#[test]
fn a_line_beyond_all_bounds_is_skipped() {
    let mut text = lines(&[user(json!("Go."))]);
    text.extend(user(json!("x".repeat(MAX_LINE))).to_string().into_bytes());
    text.extend(b"\n");
    text.extend(lines(&[words("m", "Done.")]));
    let mut reader = Reader::new();
    text.chunks(1 << 16).for_each(|chunk| reader.push(chunk));
    let read = reader.finish();
    assert_eq!(read.skipped_lines, 1);
    assert_eq!(short(&read.turns[0]), ["human: Go.", "stop: Done."]);
}

#[test]
fn captured_transcripts_are_read_whole() {
    let Some(folder) = std::env::var_os("RECEIPT_CAPTURED_PAYLOADS") else {
        println!("skipped: RECEIPT_CAPTURED_PAYLOADS names no folder");
        return;
    };
    let mut folders = vec![PathBuf::from(folder)];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if path.is_dir() {
                folders.push(path);
            } else if path
                .file_name()
                .is_some_and(|name| name == "transcript.jsonl")
            {
                let read = parse(&fs::read(&path).unwrap());
                assert!(
                    read.skipped_lines <= 2,
                    "{}: {}",
                    path.display(),
                    read.skipped_lines
                );
                seen += read.turns.len();
            }
        }
    }
    assert!(seen > 0, "the folder holds no transcripts");
}

proptest! {
    #[test]
    fn it_does_not_matter_where_chunks_are_cut(size in 1..200_usize, array in any::<bool>()) {
        let entries = [user(json!("Gö {[\"")), bash("t"), result("t", "Exit code 1\n\u{1}", true), words("m", "Done\\.")];
        let text = if array { json!(entries).to_string().into_bytes() } else { lines(&entries) };
        let mut reader = Reader::new();
        text.chunks(size).for_each(|chunk| reader.push(chunk));
        prop_assert_eq!(reader.finish(), parse(&text));
    }

    #[test]
    fn any_bytes_become_a_transcript(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _: Transcript = parse(&bytes);
    }
}
