//! Which check a run was, and of which part of the project.

use super::Observer;
use super::place::below;
use crate::check::{self, CheckRun, Kind, Qualifier};
use crate::facts::{CheckId, Scope};
use crate::keyed::Thing;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Observer<'_> {
    pub(super) fn check_id(&mut self, run: &CheckRun) -> CheckId {
        let dir = run.dir.as_deref();
        let scope = match &run.scope {
            check::Scope::Whole => self.whole_of(dir),
            check::Scope::Selector(text) => Scope::Selector(self.selector(text, dir)),
            check::Scope::Paths(paths) => {
                let paths: Vec<String> = paths.iter().map(|p| below(dir, &parts(p))).collect();
                if paths.iter().any(|p| self.is_root(p)) {
                    Scope::Whole
                } else {
                    Scope::Paths(paths.iter().map(|p| self.path(p)).collect())
                }
            }
        };
        CheckId {
            runner: run.runner.clone(),
            kind: run.kind.as_str().to_string(),
            scope,
        }
    }

    /// What weakens a run, as far as its surroundings tell and its place.
    pub(super) fn qualifiers(&self, run: &CheckRun, judged: &[Qualifier]) -> Vec<String> {
        let elsewhere = self.elsewhere(run).then_some(&Qualifier::Elsewhere);
        let all = judged.iter().chain(elsewhere);
        all.map(|q| q.as_str().to_string()).collect()
    }

    /// Whether a check looked at nothing of the repository: all that it was
    /// given, or where it ran, lies outside.
    fn elsewhere(&self, run: &CheckRun) -> bool {
        let dir = run.dir.as_deref();
        if self.root.is_none() {
            return false;
        }
        match &run.scope {
            check::Scope::Paths(paths) => {
                let mut places = paths.iter().map(|p| below(dir, &parts(p)));
                places.all(|place| self.is_outside(&place))
            }
            _ if self.is_outside(dir.unwrap_or(".")) => true,
            _ => own_program(run).is_some_and(|p| self.is_outside(&below(dir, p))),
        }
    }

    /// Whether a path neither lies in the repository nor holds it.
    fn is_outside(&self, path: &str) -> bool {
        !self.place(path).inside && !self.is_root(path)
    }

    /// Everything below the directory that a check runs in: the whole project
    /// only at its root.
    fn whole_of(&mut self, dir: Option<&str>) -> Scope {
        let dir = dir.unwrap_or(".");
        if self.is_root(dir) {
            Scope::Whole
        } else {
            Scope::Paths(Vec::from([self.path(dir)]))
        }
    }

    /// A selector means what it means in its directory.
    fn selector(&self, text: &str, dir: Option<&str>) -> String {
        let place = self.place(dir.unwrap_or("."));
        let text = if self.is_root(dir.unwrap_or(".")) {
            text.to_owned()
        } else {
            format!("{}\0{text}", place.name)
        };
        self.keyer.id(Thing::Selector, &text)
    }

    /// Whether a path is the root that paths are named from, or lies above it.
    fn is_root(&self, path: &str) -> bool {
        let root = self.root.unwrap_or(self.cwd).trim_end_matches('/');
        let place = self.place(path);
        let above = place.name.trim_end_matches('/');
        !place.inside
            && root
                .strip_prefix(above)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// A path as its parts: a test lies below its file (`a.py::test`), and
/// everything below a folder (`a/...`) is that folder.
fn parts(path: &str) -> String {
    path.trim_end_matches("...").replace("::", "/::")
}

/// The program that a self-test is of, as it was called.
fn own_program(run: &CheckRun) -> Option<&str> {
    if run.kind != Kind::Selftest {
        return None;
    }
    let name = run.runner.strip_prefix("selftest:")?;
    let mut words = run.words.iter().map(String::as_str);
    words.find(|word| word.rsplit('/').next() == Some(name))
}
