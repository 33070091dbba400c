//! What kind of file a path names, and in which language it is written.

mod language;
mod rules;

use crate::check::named::named_enum;
pub use language::language;

named_enum! {
    /// What a file is to a project.
    pub enum Class {
        /// Program text.
        Code = "code",
        /// Program text that tests other program text.
        Test = "test",
        /// Prose and pictures.
        Docs = "docs",
        /// Settings, manifests and data that programs read.
        Config = "config",
        /// Throw-away files.
        Scratch = "scratch",
        /// Written by a program: lock files, bundles, snapshots.
        Generated = "generated",
        /// Other people's code kept in the project.
        Vendored = "vendored",
        /// None of these.
        Other = "other",
    }
}

/// Whether changes of such files count as changes of code.
#[must_use]
pub const fn is_code(class: Class) -> bool {
    matches!(class, Class::Code | Class::Test)
}

/// Whether a path lies among samples that tests read: what is unfinished there
/// may have to be.
#[must_use]
pub fn is_sample(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "fixtures",
        "__fixtures__",
        "testdata",
        "test-data",
        "test_data",
    ];
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| FOLDERS.contains(&folder))
}

/// The class of a path.
///
/// With `in_repository` the place of the repository itself says nothing: a clone below `/tmp` is
/// a project, a lone file there is scratch.
#[must_use]
pub fn classify(path: &str, in_repository: bool) -> Class {
    rules::classify(path, in_repository)
}
