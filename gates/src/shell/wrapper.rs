//! Finding the program behind `env`, `timeout 60`, `uv run`, `docker compose exec app`.

use super::segment::Word;
use super::wrappers::{Effect, WRAPPERS, Wrapper};

/// Wrappers nested deeper than this are not followed.
const MAX_LAYERS: usize = 12;

/// The program behind the wrappers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stripped<'a> {
    /// Program and arguments.
    pub(crate) words: &'a [Word],
    /// Whether a wrapper swallows the exit status.
    pub(crate) loses_exit: bool,
    /// Whether it is run again and again.
    pub(crate) watches: bool,
    /// `-m` was given to a wrapper that runs Python modules (`uv run -m pytest`).
    pub(crate) module: bool,
    /// Whether it may not be run at all: `xargs -r` with nothing to hand on.
    pub(crate) maybe: bool,
    /// The wrapper's own name, if an unknown word behind it is one of its scripts.
    pub(crate) tool: Option<&'static str>,
}

/// Takes every wrapper off the front of `words`.
pub(crate) fn strip(words: &[Word]) -> Stripped<'_> {
    let mut stripped = Stripped {
        words,
        ..Stripped::default()
    };
    for _ in 0..MAX_LAYERS {
        let Some(program) = stripped.words.first().map(|word| base_name(&word.text)) else {
            break;
        };
        if is_lookup(program, stripped.words) {
            break;
        }
        let found = WRAPPERS
            .iter()
            .filter(|wrapper| wrapper.program == program)
            .find_map(|wrapper| Some((wrapper, behind(wrapper, stripped.words)?)));
        let Some((wrapper, (rest, module))) = found else {
            break;
        };
        let front = stripped.words.len().saturating_sub(rest.len());
        let options = stripped.words.get(..front).unwrap_or(&[]);
        stripped.maybe |= program == "xargs" && skips_nothing(wrapper, options);
        stripped.words = rest;
        stripped.module = module;
        stripped.loses_exit |= wrapper.effect == Effect::LosesExit;
        stripped.watches |= wrapper.effect == Effect::Watches;
        stripped.tool = (wrapper.effect == Effect::Tools).then_some(wrapper.program);
    }
    stripped
}

/// The last component of a program's path, without a Windows ending.
pub(crate) fn base_name(program: &str) -> &str {
    let name = program.rsplit('/').next().unwrap_or(program);
    let cut = [".exe", ".cmd"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending));
    cut.unwrap_or(name)
}

/// `command -v x` only looks.
fn is_lookup(program: &str, words: &[Word]) -> bool {
    let first = words.get(1).map_or("", |word| word.text.as_str());
    program == "command" && matches!(first, "-v" | "-V")
}

/// The words behind a wrapper, if it is one here.
fn behind<'a>(wrapper: &Wrapper, words: &'a [Word]) -> Option<(&'a [Word], bool)> {
    let mut rest = words.get(1..)?;
    let mut module = false;
    for accepted in wrapper.sub {
        (rest, _) = skip_options(wrapper, rest)?;
        let word = rest.first()?;
        if !accepted.contains(&word.text.as_str()) {
            return None;
        }
        rest = rest.get(1..)?;
    }
    if wrapper.effect == Effect::Dashes
        && let Some(place) = rest.iter().position(|word| word.text == "--")
    {
        return non_empty(rest.get(place.saturating_add(1)..)?).map(|rest| (rest, false));
    }
    for left in (0..=wrapper.positional).rev() {
        let found;
        (rest, found) = skip_options(wrapper, rest)?;
        module |= found;
        if left > 0 {
            rest = rest.get(1..)?;
        }
    }
    if wrapper.effect == Effect::Assigns {
        while rest.first().is_some_and(|word| is_assignment(&word.text)) {
            rest = rest.get(1..)?;
        }
    }
    non_empty(rest).map(|rest| (rest, module))
}

fn non_empty(words: &[Word]) -> Option<&[Word]> {
    (!words.is_empty()).then_some(words)
}

/// Steps over options and their values; tells whether `-m`, a flag here, was among them.
/// `None` where the program is started and not waited for.
fn skip_options<'a>(wrapper: &Wrapper, mut words: &'a [Word]) -> Option<(&'a [Word], bool)> {
    let mut module = false;
    while let Some((word, rest)) = words.split_first() {
        let text = word.text.as_str();
        if text == "--" {
            return Some((rest, module));
        }
        let option = text.len() > 1 && text.starts_with('-');
        if !option {
            break;
        }
        if wrapper
            .leaves
            .iter()
            .any(|leaves| has(wrapper, text, leaves))
        {
            return None;
        }
        module |= text == "-m" || text == "--module";
        let step = if wrapper.valued.contains(&text) { 1 } else { 0 };
        words = rest.get(step..).unwrap_or(&[]);
    }
    Some((words, module))
}

/// Whether a word is an option, or holds it among others: `-itd`.
fn has(wrapper: &Wrapper, word: &str, option: &str) -> bool {
    if word == option || word.strip_suffix("=true") == Some(option) {
        return true;
    }
    let letters = |text: &str| {
        text.strip_prefix('-')
            .filter(|t| !t.starts_with('-'))
            .is_some()
    };
    if !letters(word) || option.len() != 2 {
        return false;
    }
    // Behind a letter that takes a value stands the value.
    let takes = |letter: char| {
        let mut valued = wrapper.valued.iter().filter(|v| v.len() == 2);
        valued.any(|v| v.ends_with(letter))
    };
    let mut flags = word.chars().skip(1).take_while(|letter| !takes(*letter));
    flags.any(|letter| option.ends_with(letter))
}

fn skips_nothing(wrapper: &Wrapper, options: &[Word]) -> bool {
    options.iter().skip(1).any(|word| {
        let text = word.text.as_str();
        text == "--no-run-if-empty" || has(wrapper, text, "-r")
    })
}

/// Whether a word has the form `NAME=value`.
pub(crate) fn is_assignment(text: &str) -> bool {
    match text.split_once('=') {
        Some((name, _)) => is_name(name.strip_suffix('+').unwrap_or(name)),
        None => false,
    }
}

fn is_name(name: &str) -> bool {
    let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let head = name.split_once('[').map_or(name, |(head, _)| head);
    starts
        && head
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
