//! A store: a backend, and the cipher for secrets. What it does is in the files beside this one, one for each trait.

use crate::storage::backend::Backend;
use crate::storage::secret_cipher::SecretCipher;

use super::set_aside::SetAside;

/// A store on one database.
#[derive(Debug)]
pub(in crate::storage) struct SqlStore<B> {
    pub(super) backend: B,
    pub(super) cipher: SecretCipher,
    pub(super) set_aside: SetAside,
}

impl<B: Backend> SqlStore<B> {
    /// The store on `backend`, whose secrets are sealed with `cipher`.
    pub(in crate::storage) fn new(backend: B, cipher: SecretCipher) -> Self {
        Self { backend, cipher, set_aside: SetAside::default() }
    }
}
