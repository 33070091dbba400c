//! Every runner, by ecosystem.

mod dotnet;
mod go;
mod javascript;
mod jvm;
mod native;
mod other;
mod python;
mod ruby;
mod rust;

use super::runner::Runner;

/// The tables in the order in which they are searched.
pub(super) const TABLES: &[&[Runner]] = &[
    python::RUNNERS,
    rust::RUNNERS,
    javascript::RUNNERS,
    go::RUNNERS,
    jvm::RUNNERS,
    dotnet::RUNNERS,
    ruby::RUNNERS,
    native::RUNNERS,
    other::RUNNERS,
];
