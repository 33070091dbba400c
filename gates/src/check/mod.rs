//! Recognising checks (tests, builds, linters, type checkers) and judging how they came out.

mod arguments;
mod commit;
mod context;
mod environment;
mod interpreter;
pub(crate) mod named;
mod outcome;
mod package;
mod planted;
mod recognise;
mod refusal;
mod runner;
mod scope;
mod script;
mod standin;
pub(crate) mod summary;
mod tables;
mod targets;
mod together;
mod types;
mod verdict;

pub use commit::{commit, judge_commit};
pub use outcome::{Basis, Evidence, Judged, Outcome, judge};
pub use planted::Planted;
pub use recognise::{runs, runs_in};
pub use scope::Scope;
pub use summary::Family;
pub use together::judge_all;
pub use types::{CheckRun, Filter, Kind, Qualifier};
