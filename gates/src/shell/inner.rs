//! Command lines handed to a shell of their own: `bash -c '...'`, `eval`, `bash <<E`.

use super::segment::Word;
use super::wrapper::{base_name, strip};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A command line that a program hands to a shell of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Script {
    /// The command line.
    pub(crate) text: String,
    /// Whether it starts with `pipefail` on.
    pub(crate) pipefail: bool,
    /// Whether it starts with `-e` on.
    pub(crate) errexit: bool,
    /// Whether it is only read.
    pub(crate) idle: bool,
    /// Whether the outer program loses its exit status.
    pub(crate) loses_exit: bool,
}

/// The shells whose `-c` and standard input are command lines.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash"];

/// The command line inside `bash -c '...'`, `eval "..."`, `nix-shell --run '...'` or
/// `bash <<E`; `input` is the text on standard input.
pub(crate) fn script(words: &[Word], input: Option<&str>) -> Option<Script> {
    let stripped = strip(words);
    let (program, arguments) = stripped.words.split_first()?;
    let name = base_name(&program.text);
    let mut script = Script {
        loses_exit: stripped.loses_exit,
        ..Script::default()
    };
    if SHELLS.contains(&name) {
        return shell_script(arguments, input, script);
    }
    script.text = match name {
        "eval" => arguments
            .iter()
            .map(|word| word.text.as_str())
            .collect::<Vec<_>>()
            .join(" "),
        "nix-shell" => after(arguments, &["--run", "--command"])?,
        "nix" => {
            let place = arguments
                .iter()
                .position(|word| matches!(word.text.as_str(), "-c" | "--command"))?;
            let rest = arguments.get(place.saturating_add(1)..)?;
            rest.iter().map(quoted_again).collect::<Vec<_>>().join(" ")
        }
        "script" => {
            script.loses_exit |= !arguments.iter().any(|word| returns(&word.text));
            after(
                arguments,
                &["-c", "-qc", "-qec", "-eqc", "-ec", "--command"],
            )?
        }
        "su" | "runuser" => after(arguments, &["-c", "--command"])?,
        _ => return None,
    };
    Some(script)
}

/// Whether an option of `script` hands the status on.
fn returns(option: &str) -> bool {
    let letters = option.strip_prefix('-').filter(|o| !o.starts_with('-'));
    option == "--return" || letters.is_some_and(|letters| letters.contains('e'))
}

fn after(arguments: &[Word], options: &[&str]) -> Option<String> {
    let place = arguments
        .iter()
        .position(|word| options.contains(&word.text.as_str()))?;
    arguments
        .get(place.saturating_add(1))
        .map(|word| word.text.clone())
}

fn quoted_again(word: &Word) -> String {
    if word.quoted {
        alloc::format!("'{}'", word.text.replace('\'', "'\\''"))
    } else {
        word.text.clone()
    }
}

fn shell_script(arguments: &[Word], input: Option<&str>, mut script: Script) -> Option<Script> {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        let Some(flags) = text
            .strip_prefix('-')
            .filter(|flags| !flags.starts_with('-'))
        else {
            if text.starts_with("--") {
                continue;
            }
            return None;
        };
        script.errexit |= flags.contains('e');
        let named = if flags.contains('o') {
            rest.next().map_or("", |word| word.text.as_str())
        } else {
            ""
        };
        script.pipefail |= named == "pipefail";
        script.errexit |= named == "errexit";
        // Read, and not run.
        script.idle |= flags.contains('n') || named == "noexec";
        if flags.contains('c') {
            script.text = rest.next()?.text.to_string();
            return Some(script);
        }
        if flags.contains('s') {
            break;
        }
    }
    script.text = input?.to_string();
    Some(script)
}
