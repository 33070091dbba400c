//! Which commands are known to change no file.

use super::segment::{Segment, Word};
use super::wrapper::{base_name, strip};

/// Programs that only read, whatever their arguments.
const READERS: &[&str] = &[
    "ls",
    "cat",
    "bat",
    "head",
    "tail",
    "wc",
    "pwd",
    "which",
    "whereis",
    "type",
    "file",
    "stat",
    "du",
    "df",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "ag",
    "ack",
    "jq",
    "cut",
    "tr",
    "uniq",
    "diff",
    "cmp",
    "comm",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "date",
    "uname",
    "whoami",
    "id",
    "hostname",
    "ps",
    "pgrep",
    "echo",
    "printf",
    "true",
    "false",
    "test",
    "[",
    "[[",
    "sleep",
    "cd",
    "pushd",
    "popd",
    "env",
    "printenv",
    "export",
    "set",
    "unset",
    "local",
    "declare",
    "read",
    "exit",
    "return",
    ":",
    "tree",
    "less",
    "more",
    "nl",
    "od",
    "xxd",
    "hexdump",
    "strings",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "cksum",
    "seq",
    "column",
    "fold",
    "rev",
    "tac",
    "paste",
    "join",
    "expr",
    "bc",
    "uptime",
    "free",
    "lsof",
    "nproc",
    "lscpu",
    "tput",
    "clear",
    "history",
    "man",
    "help",
    "command",
    "alias",
    "wait",
    "jobs",
    "shift",
    "trap",
    "ulimit",
    "umask",
    "netstat",
    "ss",
    "dig",
    "nslookup",
    "ping",
    "eza",
    "exa",
    "fd",
    "tokei",
    "cloc",
    "scc",
    "awk",
    "gawk",
    "sed",
    "sort",
    "find",
    "yq",
    "git",
    "gh",
];

/// Subcommands of git that only read.
const GIT_READERS: &[&str] = &[
    "status",
    "diff",
    "log",
    "show",
    "blame",
    "grep",
    "ls-files",
    "ls-tree",
    "ls-remote",
    "rev-parse",
    "rev-list",
    "describe",
    "cat-file",
    "shortlog",
    "reflog",
    "merge-base",
    "name-rev",
    "whatchanged",
    "diff-tree",
    "diff-index",
    "diff-files",
    "for-each-ref",
    "show-ref",
    "var",
    "version",
    "help",
    "check-ignore",
    "check-attr",
    "count-objects",
    "fsck",
    "remote",
    "config",
    "branch",
    "tag",
];

/// Arguments that turn a reader into a writer.
const WRITING: &[(&str, &[&str])] = &[
    (
        "find",
        &[
            "-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf", "-fls",
        ],
    ),
    ("fd", &["-x", "-X", "--exec", "--exec-batch"]),
    ("sort", &["-o", "--output"]),
    ("yq", &["-i", "--inplace", "--in-place"]),
    ("tree", &["-o"]),
    ("uniq", &[]),
    ("less", &["-o", "-O"]),
];

/// Whether a command line may change files. False only where every part is known to read only.
#[must_use]
pub fn may_write(segments: &[Segment]) -> bool {
    segments.iter().any(segment_may_write)
}

fn segment_may_write(segment: &Segment) -> bool {
    segment.redirect_out || writes(&segment.words)
}

fn writes(words: &[Word]) -> bool {
    let stripped = strip(words);
    let Some((program, arguments)) = stripped.words.split_first() else {
        return false;
    };
    let name = base_name(&program.text);
    if stripped.words.len() == 1 && matches!(name, "exec" | "xargs" | "time" | "nice") {
        return false;
    }
    if program.text.contains('$') || !READERS.contains(&name) {
        return !asks_version(arguments);
    }
    match name {
        "git" => git_writes(arguments),
        "gh" => gh_writes(arguments),
        "sed" => sed_writes(arguments),
        "awk" | "gawk" => awk_writes(arguments),
        _ => has_writing_argument(name, arguments),
    }
}

fn asks_version(arguments: &[Word]) -> bool {
    match arguments {
        [only] => matches!(only.text.as_str(), "--version" | "--help"),
        _ => false,
    }
}

fn has_writing_argument(name: &str, arguments: &[Word]) -> bool {
    let Some((_, writing)) = WRITING.iter().find(|(program, _)| *program == name) else {
        return false;
    };
    arguments.iter().any(|word| {
        writing.iter().any(|option| {
            let rest = word.text.strip_prefix(option);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('=') || name == "sort")
        })
    })
}

fn sed_writes(arguments: &[Word]) -> bool {
    arguments.iter().any(|word| {
        let text = word.text.as_str();
        let flags = text
            .strip_prefix('-')
            .filter(|flags| !flags.starts_with('-'));
        let in_place =
            text.starts_with("--in-place") || flags.is_some_and(|flags| flags.contains('i'));
        in_place || text.contains("w ") || text.contains("/w")
    })
}

fn awk_writes(arguments: &[Word]) -> bool {
    let risky = [
        "system(", "inplace", "> \"", ">\"", ">> \"", ">>\"", "print >", "| \"",
    ];
    arguments
        .iter()
        .any(|word| risky.iter().any(|piece| word.text.contains(piece)))
}

fn git_writes(arguments: &[Word]) -> bool {
    let mut rest = arguments.iter().map(|word| word.text.as_str());
    let mut sub = "";
    while let Some(text) = rest.next() {
        match text {
            "-C" | "-c" | "--git-dir" | "--work-tree" => drop(rest.next()),
            _ if text.starts_with('-') => {}
            _ => {
                sub = text;
                break;
            }
        }
    }
    if !GIT_READERS.contains(&sub) {
        return !sub.is_empty() && !stash_or_worktree_list(sub, rest.next());
    }
    rest.any(|text| text.starts_with("--output") || text == "--ext-diff")
        || git_changes(sub, arguments)
}

fn stash_or_worktree_list(sub: &str, verb: Option<&str>) -> bool {
    matches!(
        (sub, verb),
        ("stash", Some("list" | "show")) | ("worktree", Some("list"))
    )
}

/// Subcommands that read without further words and change only git's own data with them; none
/// of them touches the files of the work tree.
fn git_changes(sub: &str, arguments: &[Word]) -> bool {
    sub == "config" && arguments.iter().any(|word| word.text == "core.hooksPath")
}

fn gh_writes(arguments: &[Word]) -> bool {
    let mut words = arguments
        .iter()
        .map(|word| word.text.as_str())
        .filter(|text| !text.starts_with('-'));
    let verb = words.nth(1).unwrap_or("");
    let verbs = ["view", "list", "status", "checks", "diff", "watch"];
    !verbs.contains(&verb)
}
