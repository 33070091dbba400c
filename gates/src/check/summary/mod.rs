//! Reading what runners print about themselves.
//!
//! Only the forms of final summaries count, and only at the start of a line: words such as
//! "error" or "failed" in the log of a green run say nothing.

mod dotnet;
mod form;
mod go;
mod index;
mod javascript;
mod jvm;
mod lines;
mod native;
mod other;
mod python;
mod read;
mod ruby;
mod rust;
mod script;
mod template;

pub use form::Family;
pub(crate) use form::Form;
pub(crate) use lines::last_line_with;
pub(crate) use lines::window;
pub(crate) use read::{Reading, Said, read};

/// Every form, by ecosystem.
const TABLES: &[&[Form]] = &[
    python::FORMS,
    rust::FORMS,
    javascript::FORMS,
    go::FORMS,
    jvm::FORMS,
    dotnet::FORMS,
    ruby::FORMS,
    native::FORMS,
    other::FORMS,
    script::FORMS,
];
