//! Which arguments of a program are read and which are written.

use crate::shell::Word;

/// What a program does to its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    /// It reads them.
    Reads,
    /// It reads all but the last, which it writes.
    Copies,
    /// It writes them, or nothing is known of it.
    Writes,
}

/// Programs that read their operands, whatever else they do.
const READERS: [&str; 16] = [
    "b3sum",
    "code",
    "cp",
    "sha512sum",
    "shasum",
    "rsync",
    "scp",
    "tar",
    "zip",
    "gzip",
    "node",
    "python",
    "python3",
    "open",
    "source",
    ".",
];

/// Programs that write the last of their operands.
const COPIERS: [&str; 4] = ["cp", "rsync", "scp", "install"];

/// What a program that may write does to its operands.
pub(super) fn does(program: &str) -> Does {
    if COPIERS.contains(&program) {
        Does::Copies
    } else if READERS.contains(&program) {
        Does::Reads
    } else {
        Does::Writes
    }
}

/// What has `find` do something with what it finds, and what narrows that to some names.
const ACTS: [&str; 7] = [
    "-delete",
    "-exec",
    "-execdir",
    "-x",
    "-X",
    "--exec",
    "--exec-batch",
];
const NARROWED: [&str; 7] = [
    "-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-e",
];

/// Programs that tell of files and not what is in them.
const LISTERS: [&str; 16] = [
    "ls", "stat", "file", "du", "find", "fd", "tree", "echo", "printf", "test", "[", "wc",
    "realpath", "readlink", "basename", "dirname",
];

/// Whether a program tells of files and not what is in them.
pub(super) fn lists(program: &str) -> bool {
    LISTERS.contains(&program)
}

/// Whether a program with these arguments takes whole folders away, or changes
/// what may be done with them.
pub(super) fn takes_folders(program: &str, arguments: &[Word]) -> bool {
    let has = |letters: &[char], long: &str| {
        arguments.iter().any(|word| {
            let short = word.text.strip_prefix('-').filter(|s| !s.starts_with('-'));
            short.is_some_and(|s| s.contains(letters)) || word.text == long
        })
    };
    match program {
        "rm" => has(&['r', 'R'], "--recursive"),
        "chmod" | "chown" | "chgrp" | "chattr" => has(&['R'], "--recursive"),
        "mv" | "shred" | "rmdir" | "trash" | "rimraf" => true,
        "rsync" => arguments.iter().any(|w| w.text.starts_with("--delete")),
        "find" | "fd" => {
            let has = |words: &[&str]| arguments.iter().any(|w| words.contains(&w.text.as_str()));
            has(&ACTS) && !has(&NARROWED)
        }
        _ => false,
    }
}
