//! Changes of files.

use super::Observer;
use crate::facts::{EditSeen, Observation, StubSeen};
use crate::keyed::Thing;
use crate::mark;
use crate::path::{self, Class};
use crate::source;
use crate::stub;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::event::{Before, FileChange};

impl Observer<'_> {
    pub(super) fn edit(&mut self, change: &FileChange) {
        let place = self.place(&change.path);
        let class = path::classify(&place.name, place.inside);
        let language = path::language(&place.name);
        let code = path::is_code(class);
        let stubs = if code && !path::is_sample(&place.name) {
            self.stubs(language, change)
        } else {
            Vec::new()
        };
        let seen = EditSeen {
            path: self.path(&change.path),
            class: class.as_str().to_string(),
            language: language.to_string(),
            code,
            added: change.added.len() as u64,
            removed: change.removed.len() as u64,
            marks: self.marks(&place.name, class, language, change),
            created: change.before == Before::Absent,
            lines: source::lines(language, &change.added, &change.removed),
            stubs,
            outside: !place.inside,
            blind: change.before == Before::Unknown,
        };
        self.say(Observation::Edit(seen));
    }

    /// Stub lines that the new text has more or less often than the old.
    fn stubs(&self, language: &str, change: &FileChange) -> Vec<StubSeen> {
        let blind = change.before == Before::Unknown;
        let mut counts: BTreeMap<(stub::StubKind, String), i64> = BTreeMap::new();
        let sides = [(&change.added, 1), (&change.removed, -1)];
        for (lines, step) in sides {
            for found in stub::stubs(language, lines) {
                if !blind || stub::unambiguous(found.kind) {
                    let count = counts.entry((found.kind, found.line)).or_default();
                    *count = count.saturating_add(step);
                }
            }
        }
        let standing = counts.into_iter().filter(|(_, more)| *more != 0);
        standing
            .map(|((kind, line), more)| StubSeen {
                line: self.keyer.id(Thing::Stub, &line),
                kind: kind.as_str().to_string(),
                more,
            })
            .collect()
    }

    /// Marked lines by their ids.
    fn marks(
        &self,
        path: &str,
        class: Class,
        language: &str,
        change: &FileChange,
    ) -> BTreeMap<String, BTreeMap<String, i64>> {
        let file = mark::File {
            path,
            class,
            language,
        };
        let marks = mark::marks(file, change).into_iter();
        let named = marks.map(|(mark, lines)| {
            let lines = lines.into_iter();
            let ids = lines.map(|(line, more)| (self.keyer.id(Thing::Line, &line), more));
            (mark.as_str().to_string(), ids.collect())
        });
        named.collect()
    }
}
