//! Formats of `receipt`: events, records, commitments, the tree and the keys.
//!
//! Nothing here does IO, reads a clock or uses randomness (`ARCHITECTURE.md`,
//! invariant 1): every byte comes in as an argument and leaves as a value.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod agent;
pub mod checkpoint;
pub mod commit;
pub mod event;
pub mod genesis;
pub mod hash;
pub mod heads;
pub mod json;
pub mod key;
pub mod keychain;
pub mod limits;
pub mod prune;
pub mod record;
pub mod redact;
pub mod seal;
pub mod tree;
