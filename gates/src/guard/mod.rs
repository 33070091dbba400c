//! What a tool call would do to the ledger and what guards it (`spec/gates.md`,
//! "Ledger-guard").
//!
//! Only text is looked at: the call's input, the folder it would run in, and
//! where the protected things are. A fence, not a wall: whoever writes a program that
//! computes a path gets through in the tier `same-user`.

mod command;
mod interpreter;
mod operands;
mod path;
mod settings;

use crate::facts::Guarded;
use path::Pattern;
use receipt_core::event::{Action, ToolCall};

/// What is protected, and where.
#[derive(Debug, Clone, Copy, Default)]
pub struct Protected<'a> {
    /// The folder of ledger, keys, socket, spool and profile.
    pub home: Option<&'a str>,
    /// The folder that `~` stands for.
    pub user: Option<&'a str>,
    /// Settings files that hold our hooks, with the number of them in each.
    pub wired: &'a [(String, u32)],
}

use alloc::string::String;

/// A place that is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// The folder of the ledger.
    Ledger,
    /// The keys in it.
    Keys,
    /// Settings that hold our hooks.
    Wiring,
}

impl What {
    const fn word(self) -> &'static str {
        match self {
            Self::Ledger => "ledger",
            Self::Keys => "keys",
            Self::Wiring => "wiring",
        }
    }
}

/// What a call would do to what is protected; nothing for nearly all calls.
#[must_use]
pub fn guarded(call: &ToolCall, cwd: &str, protected: &Protected<'_>) -> Option<Guarded> {
    let guard = Guard {
        protected,
        home: protected.home.map(Pattern::literal),
        keys: protected
            .home
            .map(|home| Pattern::literal(home).below("keys")),
    };
    let found = match &call.action {
        Action::Shell { command, .. } => command::guarded(command, cwd, &guard),
        Action::Edit { path, replacements } => guard
            .file(path, cwd)
            .or_else(|| settings::edited(path, cwd, replacements, &guard)),
        Action::Write { path, text } => guard
            .file(path, cwd)
            .or_else(|| settings::written(path, cwd, text, &guard)),
        Action::Read => guard.read(&call.names, cwd),
        Action::Delegate | Action::Schedule { .. } => None,
        Action::Other => call.names.iter().find_map(|name| guard.file(name, cwd)),
    };
    found.map(|(what, how)| Guarded {
        what: String::from(what),
        how: String::from(how),
        denied: false,
    })
}

/// Where the machine's service of the ledger is named.
const SYSTEM: &str = "/etc/receipt";

/// What is touched, and how.
type Found = (&'static str, &'static str);

/// The protected places, as patterns.
struct Guard<'a> {
    protected: &'a Protected<'a>,
    home: Option<Pattern>,
    keys: Option<Pattern>,
}

impl Guard<'_> {
    /// A path as written, made absolute.
    fn resolve(&self, path: &str, cwd: &str) -> Option<Pattern> {
        Pattern::written(path, cwd, self.protected)
    }

    /// The place at or above which a path lies.
    fn inside(&self, path: &Pattern) -> Option<What> {
        let within = |place: &Option<Pattern>| place.as_ref().is_some_and(|p| path.is_within(p));
        if within(&self.keys) {
            return Some(What::Keys);
        }
        if within(&self.home) || path.is_within(&Pattern::literal(SYSTEM)) {
            return Some(What::Ledger);
        }
        let wired = self.protected.wired.iter();
        let mut wired = wired.map(|(file, _)| Pattern::literal(file));
        wired
            .any(|file| path.is_within(&file))
            .then_some(What::Wiring)
    }

    /// The place that lies below a path.
    fn above(&self, path: &Pattern) -> Option<What> {
        let home = self.home.as_ref().is_some_and(|home| home.is_within(path));
        if home {
            return Some(What::Ledger);
        }
        let wired = self.protected.wired.iter();
        let mut wired = wired.map(|(file, _)| Pattern::literal(file));
        wired
            .any(|file| file.is_within(path))
            .then_some(What::Wiring)
    }

    /// A file that a tool would write. What stands in settings is looked at elsewhere.
    fn file(&self, path: &str, cwd: &str) -> Option<Found> {
        match self.inside(&self.resolve(path, cwd)?)? {
            What::Wiring => None,
            what => Some((what.word(), "write")),
        }
    }

    /// Files that a tool would read: the keys are nobody's to see.
    fn read(&self, names: &[String], cwd: &str) -> Option<Found> {
        let keys = |name: &String| {
            let path = self.resolve(name, cwd)?;
            (self.inside(&path)? == What::Keys).then_some(("keys", "read"))
        };
        names.iter().find_map(keys)
    }
}
