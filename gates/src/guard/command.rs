//! Shell commands.

use super::operands::{Does, does, lists, takes_folders};
use super::path::Pattern;
use super::{Found, Guard, What, interpreter};
use crate::shell::wrapper::{base_name, strip};
use crate::shell::{self, Segment, Word};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The variable that names the ledger's home.
const HOME_VARIABLE: &str = "RECEIPT_HOME";

/// Subcommands of the program itself that are the user's to run.
const OWN: [&str; 7] = [
    "hook",
    "uninstall",
    "prune",
    "recover",
    "rotate",
    "revoke",
    "serve",
];

/// What a command line would do to what is protected.
pub(super) fn guarded(command: &str, cwd: &str, guard: &Guard<'_>) -> Option<Found> {
    // Nearly every command names nothing of ours: nothing else is looked at then.
    let relevant = ["receipt", ".claude", ".local", "~", "$", "*", "?", "["];
    let here = guard.inside(&Pattern::literal(cwd)).is_some();
    let climbs = command.contains("..") || command.contains("rm") || command.contains("mv");
    let named = relevant.iter().any(|piece| command.contains(piece));
    let home = guard.protected.home.unwrap_or_default();
    if !(named || here || climbs || (!home.is_empty() && command.contains(home))) {
        return None;
    }
    let segments = shell::segments(command);
    let mut names = Names::default();
    for (at, segment) in segments.iter().enumerate() {
        let looked = Looked::new(segment, cwd, guard, &names);
        let found = looked.found().or_else(|| {
            let mut before = segments.iter().filter(|s| s.piped_into == Some(at));
            before.find_map(|s| looked.handed(&Looked::new(s, cwd, guard, &names)))
        });
        if found.is_some() {
            return found;
        }
        names.take(segment);
    }
    kills(&segments).then_some(("service", "run"))
}

/// Variables that the command line itself sets.
#[derive(Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    fn take(&mut self, segment: &Segment) {
        let exported = match segment.texts().next() {
            Some("export" | "declare" | "local" | "readonly") => segment.words.as_slice(),
            _ => &[],
        };
        let exported = exported.iter().filter_map(|word| word.text.split_once('='));
        let exported = exported.map(|(name, value)| (name.to_string(), value.to_string()));
        let set = segment.assignments.iter().cloned().chain(exported);
        for (name, value) in set {
            let value = self.put(&value);
            self.0.insert(name, value);
        }
    }

    /// A word with a variable at its beginning put in its place.
    fn put(&self, word: &str) -> String {
        for (name, value) in &self.0 {
            for written in [alloc::format!("${{{name}}}"), alloc::format!("${name}")] {
                let Some(rest) = word.strip_prefix(&written) else {
                    continue;
                };
                if written.ends_with('}') || rest.is_empty() || rest.starts_with('/') {
                    return alloc::format!("{value}{rest}");
                }
            }
        }
        word.to_string()
    }
}

/// One simple command, looked at.
struct Looked<'a> {
    segment: &'a Segment,
    guard: &'a Guard<'a>,
    names: &'a Names,
    /// The folder it runs in, as written.
    dir: String,
    name: &'a str,
    arguments: &'a [Word],
}

impl<'a> Looked<'a> {
    fn new(segment: &'a Segment, cwd: &str, guard: &'a Guard<'a>, names: &'a Names) -> Self {
        let words = strip(&segment.words).words;
        let (name, arguments) = match words.split_first() {
            Some((program, arguments)) => (base_name(&program.text), arguments),
            None => ("", words),
        };
        let dir = segment.dir.as_deref().map(|dir| names.put(dir));
        let dir = match dir {
            Some(dir) if dir.starts_with(['/', '~', '$']) => dir,
            Some(dir) => alloc::format!("{cwd}/{dir}"),
            None => cwd.to_string(),
        };
        Self {
            segment,
            guard,
            names,
            dir,
            name,
            arguments,
        }
    }

    fn path(&self, word: &str) -> Option<Pattern> {
        self.guard.resolve(&self.names.put(word), &self.dir)
    }

    fn found(&self) -> Option<Found> {
        self.redirected()
            .or_else(|| self.own())
            .or_else(|| self.interpreted())
            .or_else(|| self.operands())
    }

    /// What another command writes out and `xargs` makes operands of this one.
    fn handed(&self, by: &Self) -> Option<Found> {
        let first = self.segment.texts().next().map(base_name);
        let writes = shell::may_write(core::slice::from_ref(self.segment));
        if first != Some("xargs") || !writes || does(self.name) != Does::Writes {
            return None;
        }
        let mut words = by.arguments.iter().map(|word| word.text.as_str());
        let inside = words.find_map(|word| self.guard.inside(&by.path(word)?));
        inside.map(|what| (what.word(), "write"))
    }

    fn redirected(&self) -> Option<Found> {
        let targets = self.segment.writes.iter();
        let mut inside = targets.filter_map(|t| self.guard.inside(&self.path(t)?));
        if let Some(what) = inside.next() {
            return Some((what.word(), "write"));
        }
        let mut sources = self.segment.reads.iter();
        sources
            .any(|s| self.path(s).and_then(|p| self.guard.inside(&p)) == Some(What::Keys))
            .then_some(("keys", "read"))
    }

    /// The program itself: what forges events, erases or takes out the wiring.
    fn own(&self) -> Option<Found> {
        if self.name != "receipt" {
            return None;
        }
        let mut words = self.arguments.iter().map(|word| word.text.as_str());
        let sub = words.find(|text| !text.starts_with('-'))?;
        let (sub, private) = match sub {
            "key" => {
                let verb = words.clone().find(|text| !text.starts_with('-'))?;
                (verb, words.any(|text| text == "--private"))
            }
            sub => (sub, false),
        };
        if self.is_of_another_home() {
            return None;
        }
        let harmless = ["--help", "-h", "--dry-run", "--print-unit"];
        let asks = self
            .arguments
            .iter()
            .any(|w| harmless.contains(&w.text.as_str()));
        let examines = sub == "recover"
            && !self
                .arguments
                .iter()
                .any(|w| w.text.starts_with("--accept-loss"));
        ((OWN.contains(&sub) && !asks && !examines) || private).then_some(("command", "run"))
    }

    /// Whether the program is told to use a home that is not the protected one.
    fn is_of_another_home(&self) -> bool {
        let mut words = self.arguments.iter().map(|word| word.text.as_str());
        let option = words.find_map(|text| text.strip_prefix("--home="));
        let mut words = self.arguments.iter().map(|word| word.text.as_str());
        let option = option.or_else(|| {
            words.find(|text| *text == "--home")?;
            words.next()
        });
        let prefixed = self.segment.assignments.iter();
        let prefixed = prefixed.rev().find(|(name, _)| name == HOME_VARIABLE);
        let set = prefixed.map(|(_, value)| value.as_str());
        let set = set.or_else(|| self.names.0.get(HOME_VARIABLE).map(String::as_str));
        let Some(home) = option.or(set) else {
            return false;
        };
        // What is not known is not ours: `$(mktemp -d)`.
        let path = self.path(home);
        path.is_none_or(|path| self.guard.inside(&path).is_none())
    }

    /// Text that an interpreter runs and that names a protected place.
    fn interpreted(&self) -> Option<Found> {
        let protected = self.guard.protected;
        let home = protected.home.filter(|home| !home.is_empty())?;
        let short = protected.user.and_then(|user| home.strip_prefix(user));
        let short = short.map(|rest| rest.trim_start_matches('/'));
        let short = short.filter(|rest| rest.contains('/')).unwrap_or(home);
        let mut programs = interpreter::programs(self.name, self.arguments, self.segment);
        programs
            .any(|text| interpreter::acts_on(text, home) || interpreter::acts_on(text, short))
            .then_some((What::Ledger.word(), "write"))
    }

    fn operands(&self) -> Option<Found> {
        if self.name == "receipt" || matches!(self.name, "cd" | "pushd" | "popd") {
            return None;
        }
        let words = self.arguments.iter().map(|word| word.text.as_str());
        // `of=FILE`, `--output=FILE`
        let words = words.map(|text| match text.split_once('=') {
            Some((name, value)) if !name.contains('/') => value,
            _ => text,
        });
        let paths: Vec<Option<Pattern>> = words
            .map(|text| {
                if text.starts_with('-') {
                    None
                } else {
                    self.path(text)
                }
            })
            .collect();
        let writes = shell::may_write(core::slice::from_ref(self.segment));
        let does = if writes { does(self.name) } else { Does::Reads };
        let last = paths.len().saturating_sub(1);
        for (at, path) in paths.iter().enumerate() {
            let Some(path) = path else { continue };
            let written = does == Does::Writes || (does == Does::Copies && at == last);
            if let Some(found) = self.touched(path, written, at == last) {
                return Some(found);
            }
        }
        None
    }

    fn touched(&self, path: &Pattern, written: bool, last: bool) -> Option<Found> {
        if let Some(what) = self.guard.inside(path) {
            return match (what, written) {
                (what, true) => Some((what.word(), "write")),
                (What::Keys, false) if lists(self.name) => None,
                (What::Keys, false) => Some((what.word(), "read")),
                (_, false) if self.copies_all() => Some((What::Keys.word(), "read")),
                _ => None,
            };
        }
        if !takes_folders(self.name, self.arguments) || (self.name == "mv" && last) {
            return None;
        }
        let what = self.guard.above(path)?;
        Some((what.word(), "write"))
    }

    /// Whole folders are copied, keys and all.
    fn copies_all(&self) -> bool {
        let recursive = self.arguments.iter().any(|word| {
            let short = word.text.strip_prefix('-').filter(|s| !s.starts_with('-'));
            short.is_some_and(|s| s.contains(['r', 'R', 'a']))
        });
        match self.name {
            "cp" | "rsync" | "scp" => recursive,
            "tar" | "zip" => true,
            _ => false,
        }
    }
}

/// Whether the service is ended by name.
fn kills(segments: &[Segment]) -> bool {
    let names_us = |segment: &&Segment| segment.texts().skip(1).any(|t| t.contains("receipt"));
    let mut ours = segments.iter().filter(names_us);
    let by_name = segments
        .iter()
        .any(|s| runs(s, &["pkill", "killall"]) && s.texts().any(is_us));
    let looked_up = ours.clone().any(|s| runs(s, &["pgrep", "pidof"]));
    let killed = segments.iter().any(|s| runs(s, &["kill"]));
    let stops = |text: &str| matches!(text, "stop" | "disable" | "mask" | "kill");
    let stopped = ours.any(|s| runs(s, &["systemctl"]) && s.texts().any(stops));
    by_name || (looked_up && killed) || stopped
}

/// Whether a pattern of `pkill` is the program's name, alone or with its first word.
fn is_us(text: &str) -> bool {
    let text = text.rsplit('/').next().unwrap_or_default();
    let mut words = text.split_whitespace();
    let name = words.next() == Some("receipt");
    name && words
        .next()
        .is_none_or(|word| matches!(word, "service" | "serve" | "hook"))
}

/// Whether a segment runs one of these programs.
fn runs(segment: &Segment, programs: &[&str]) -> bool {
    let words = strip(&segment.words).words;
    let first = words.first().map(|word| base_name(&word.text));
    first.is_some_and(|name| programs.contains(&name))
}
