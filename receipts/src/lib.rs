//! Receipts: the portable file that a stranger verifies offline.
//!
//! [`build`] makes one, [`redact`] withholds parts of one, [`verify`] judges
//! one under a [`trust`] file, [`show`] looks into one without judging it.
//! Nothing here does IO, reads a clock or uses randomness
//! (`ARCHITECTURE.md`, invariant 1). The format is `spec/receipt.md`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod build;
mod bundle;
pub mod disclose;
mod encode;
pub mod envelope;
pub mod redact;
pub mod report;
mod row;
pub mod show;
pub mod statement;
pub mod tier;
pub mod trust;
pub mod verify;
