//! Authenticates a caller by the secret of an API key. `http` reads the secret from the request.

use subtle::ConstantTimeEq as _;

use super::error::Error;
use super::service::App;
use crate::domain::account::Scope;
use crate::domain::key::{KeyQuotas, Permission, Secret, SecretHash};

/// An accepted key and its rights.
#[derive(Debug, Clone)]
pub struct Caller {
    /// `key_…`, for logs and quotas.
    pub key_id: String,
    /// The account, and the websites the key is restricted to.
    pub scope: Scope,
    /// Quotas of this key.
    pub quotas: KeyQuotas,
    permissions: Vec<Permission>,
}

impl Caller {
    /// Returns an error if the key lacks `permission`.
    pub fn require(&self, permission: Permission) -> Result<(), Error> {
        if self.permissions.contains(&permission) { Ok(()) } else { Err(Error::InsufficientScope(permission)) }
    }
}

impl App {
    /// Returns the caller with this secret. Reads the store at every call, so that a revocation takes effect with the next request.
    pub async fn authenticate(&self, secret: &str) -> Result<Caller, Error> {
        let secret = Secret::parse(secret).ok_or(Error::InvalidCredentials)?;
        let hash = SecretHash::of(secret.reveal());
        let key = self.store.find_key(hash).await?.ok_or(Error::InvalidCredentials)?;
        let is_same = bool::from(key.secret_hash.0.ct_eq(&hash.0));
        let now = self.clock.wall();
        if !is_same || !key.is_live(now) {
            return Err(Error::InvalidCredentials);
        }
        self.key_uses.note(&key.id, now);
        Ok(Caller {
            key_id: key.id,
            scope: Scope { account_id: key.account_id, website_ids: key.website_ids },
            quotas: key.quotas,
            permissions: key.permissions,
        })
    }
}
