//! What is expected of receipts, by subject.

mod authentic;
mod damage;
mod forgery;
mod happy;
mod hostile;
mod keys;
mod limits;
mod markdown;
mod policy;
mod redaction;
mod size;
mod trust;
