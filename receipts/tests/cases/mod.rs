//! What is expected of receipts, by subject.

mod happy;
