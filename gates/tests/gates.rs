//! Tests of the crate.

mod fold;
mod turns;
