//! Gates of `receipt`: what events mean, and whether the agent may stop.
//!
//! `observe` turns an event into facts, the gates fold facts into a verdict.
//! Nothing here does IO, reads a clock or uses randomness
//! (`ARCHITECTURE.md`, invariant 1).
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod calls;
pub mod check;
pub mod claim;
pub mod explain;
pub mod facts;
pub mod fold;
pub mod gate;
pub mod guard;
pub mod judge;
pub mod keyed;
pub mod mark;
pub mod observe;
pub mod path;
pub mod profile;
pub mod record;
pub mod scheduled;
pub mod shell;
pub mod source;
pub mod stub;
pub mod turn;
pub mod verdict;
pub mod weakening;
