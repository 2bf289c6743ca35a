//! A store: a backend, and the cipher for secrets. What it does is in the files beside this one, one for each trait.

use crate::storage::backend::Backend;
use crate::storage::secret_cipher::SecretCipher;

use super::unreadable_rows::UnreadableRows;

/// A store on one database.
#[derive(Debug)]
pub(in crate::storage) struct SqlStore<B> {
    pub(super) backend: B,
    pub(super) cipher: SecretCipher,
    pub(super) unreadable_rows: UnreadableRows,
}

impl<B: Backend> SqlStore<B> {
    /// The store on `backend`, whose secrets are sealed with `cipher`.
    pub(in crate::storage) fn new(backend: B, cipher: SecretCipher) -> Self {
        Self { backend, cipher, unreadable_rows: UnreadableRows::default() }
    }
}
