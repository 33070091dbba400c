//! The adversarial judge: what it is asked, and how its reply is read
//! (`spec/judge.md`). The call itself is an effect of the hook process.

mod facts;
mod object;
mod prompt;
mod record;
mod reply;

pub use facts::facts;
pub use prompt::{Ask, prompt};
pub use record::record;
pub use reply::{Reply, read};
