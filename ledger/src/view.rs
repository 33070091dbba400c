//! A ledger as it stands, to be read in another thread while its writer goes on.

use crate::error::LedgerError;
use crate::ledger::Ledger;
use std::ops::Deref;
use std::sync::Arc;

/// All that can be asked of a [`Ledger`] without changing it, as it was when
/// [`Ledger::view`] was called. What was appended since is not in it.
#[derive(Debug)]
pub struct View(Ledger);

impl Deref for View {
    type Target = Ledger;

    fn deref(&self) -> &Ledger {
        &self.0
    }
}

impl Ledger {
    /// The ledger as it stands. Reads through it wait for no append, nor do
    /// appends wait for them.
    ///
    /// # Errors
    /// [`LedgerError::Poisoned`], [`LedgerError::Store`].
    pub fn view(&self) -> Result<View, LedgerError> {
        self.refuse_if_poisoned()?;
        Ok(View(Self {
            disk: Arc::clone(&self.disk),
            store: self.store.reader()?,
            journal: self.journal.clone(),
            ring: self.ring.clone(),
            keys: self.keys.clone(),
            state: self.state.clone(),
            unsettled: self.unsettled,
            published: self.published,
            health: self.health,
            lock: Arc::clone(&self.lock),
        }))
    }
}
