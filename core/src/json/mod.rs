//! The two ways JSON is read: leniently from agents, strictly from ourselves.

pub mod lenient;
pub mod strict;
