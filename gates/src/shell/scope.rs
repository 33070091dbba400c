//! What commands change for the ones after them: folder, options, names, and
//! whether there is an after.

use super::segment::Word;
use super::tree::Node;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A path by `cd` after `cd` that is longer is no longer known.
const MAX_DIR: usize = 1_024;

/// Whether commands that follow are run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Goes {
    /// They are.
    #[default]
    On,
    /// Not to the end of the function.
    Returned,
    /// Not any more.
    Ended,
}

/// What surrounds a command that may end the list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    /// It may not be run.
    pub(super) conditional: bool,
    /// It is run where something failed.
    pub(super) after_failure: bool,
    pub(super) background: bool,
}

/// The state of a shell as far as it matters here.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub(super) dir: Option<String>,
    pub(super) pipefail: bool,
    pub(super) errexit: bool,
    pub(super) goes: Goes,
    /// A command that may not have run could have ended the list, with success.
    pub(super) doubtful: bool,
    /// A trap ends the shell with a status of its own.
    pub(super) trapped: bool,
    /// Words of what a trap runs at the end.
    at_end: Vec<String>,
    /// Names that no longer mean a program: functions, and aliases whose meaning
    /// is not followed.
    names: BTreeMap<String, Option<Rc<Node>>>,
}

impl Scope {
    /// A name means a function from here on.
    pub(super) fn define(&mut self, name: &str, body: &Rc<Node>) {
        self.trapped |= self.at_end.iter().any(|called| called == name) && body.exits_well();
        self.names.insert(name.to_string(), Some(Rc::clone(body)));
    }

    /// What a name was made to mean: a function, or something that is not followed.
    pub(super) fn meaning(&self, word: &Word) -> Option<Option<Rc<Node>>> {
        self.names.get(&word.text).filter(|_| !word.quoted).cloned()
    }

    /// `cd`, `set`, `exit` and their like.
    pub(super) fn take(&mut self, words: &[Word], standing: Standing) {
        let plain = words.iter().map(|word| word.text.as_str());
        let texts: Vec<&str> = plain
            .skip_while(|text| matches!(*text, "builtin" | "command"))
            .collect();
        let Some((program, arguments)) = texts.split_first() else {
            return;
        };
        match *program {
            "cd" | "pushd" if !standing.background => {
                let mut targets = arguments.iter();
                let target = targets.find(|text| !text.starts_with('-') || **text == "-");
                self.dir = moved(self.dir.as_deref(), target.unwrap_or(&"~"));
            }
            "set" => self.set(arguments),
            "trap" => self.trap(arguments),
            "exit" | "logout" => self.leave(Goes::Ended, arguments, standing),
            "return" => self.leave(Goes::Returned, arguments, standing),
            "exec" if !arguments.is_empty() && !standing.conditional => self.goes = Goes::Ended,
            "alias" => {
                let named = arguments.iter().filter_map(|text| text.split_once('='));
                self.names
                    .extend(named.map(|(name, _)| (name.to_string(), None)));
            }
            "hash" if arguments.first() == Some(&"-p") => {
                self.names
                    .extend(arguments.iter().skip(2).map(|n| (n.to_string(), None)));
            }
            "unset" | "unalias" => self.names.retain(|name, _| !arguments.contains(&&**name)),
            _ => {}
        }
    }

    /// What is done at the end may replace the status, also by a function.
    fn trap(&mut self, arguments: &[&str]) {
        let behind = arguments.strip_prefix(&["--"]).unwrap_or(arguments);
        let Some((action, signals)) = behind.split_first() else {
            return;
        };
        if !signals.iter().any(|signal| is_of_the_end(signal)) {
            return;
        }
        self.trapped |= exits(action);
        self.at_end = action
            .split(BETWEEN_WORDS)
            .map(ToString::to_string)
            .collect();
        let mut defined = self.at_end.iter().filter_map(|name| self.names.get(name));
        self.trapped |= defined.any(|body| body.as_ref().is_some_and(|body| body.exits_well()));
    }

    fn leave(&mut self, goes: Goes, arguments: &[&str], standing: Standing) {
        if standing.background {
            return;
        }
        if !standing.conditional {
            self.goes = goes;
            return;
        }
        // With a failure the call fails too, and its status tells.
        let fails = match arguments.first() {
            None | Some(&"$?") => standing.after_failure,
            Some(status) => status.parse::<u8>().is_ok_and(|status| status != 0),
        };
        self.doubtful |= !fails;
    }

    fn set(&mut self, options: &[&str]) {
        for (index, option) in options.iter().enumerate() {
            let on = option.starts_with('-');
            let flags = option.strip_prefix(['-', '+']).unwrap_or("");
            if flags.is_empty() || flags.starts_with('-') {
                break;
            }
            if flags.contains('e') {
                self.errexit = on;
            }
            let named = flags
                .ends_with('o')
                .then(|| options.get(index.saturating_add(1)));
            match named.flatten().copied() {
                Some("pipefail") => self.pipefail = on,
                Some("errexit") => self.errexit = on,
                Some("noexec") if on => self.goes = Goes::Ended,
                _ => {}
            }
            if on && flags.contains('n') {
                self.goes = Goes::Ended;
            }
        }
    }
}

/// What parts the words of a trap's action.
const BETWEEN_WORDS: &[char] = &[' ', '\t', '\n', ';', '(', ')', '{', '}', '&', '|', '\\'];

/// Whether a trap on this signal is run before the status is told.
fn is_of_the_end(signal: &str) -> bool {
    let name = signal.to_ascii_uppercase();
    let name = name.strip_prefix("SIG").unwrap_or(&name);
    matches!(name, "EXIT" | "0" | "ERR" | "DEBUG")
}

/// Whether an action ends with a status of its own: `exit 0`, and not `exit $code`.
fn exits(action: &str) -> bool {
    let words: Vec<&str> = action
        .split(BETWEEN_WORDS)
        .filter(|w| !w.is_empty())
        .collect();
    words.iter().enumerate().any(|(at, word)| match *word {
        "exit" => !words
            .get(at.saturating_add(1))
            .is_some_and(|status| status.starts_with(['$', '"'])),
        "exec" => true,
        _ => false,
    })
}

/// Where `cd target` leads from `from`.
fn moved(from: Option<&str>, target: &str) -> Option<String> {
    let absolute = target.starts_with(['/', '~', '$']) || target.get(1..2) == Some(":");
    let moved = match from {
        _ if target == "-" => return None,
        Some(from) if !absolute && target == "." => from.to_string(),
        Some(from) if !absolute => alloc::format!("{}/{target}", from.trim_end_matches('/')),
        _ => target.to_string(),
    };
    (moved.len() <= MAX_DIR).then_some(moved)
}
