//! Keys of an account.

use super::super::service::App;
use super::bounds::{MAX_NAME_CHARS, check_length};
use super::error::AdminError;
use crate::domain::account::Account;
use crate::domain::clock::Timestamp;
use crate::domain::id::{self, Kind};
use crate::domain::key::{ApiKey, KeyQuotas, Permission, Secret, SecretHash};

/// A key to make.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// 1..80 characters.
    pub name: String,
    /// What it may be used for.
    pub permissions: Vec<Permission>,
    /// The websites it is restricted to.
    pub website_ids: Option<Vec<String>>,
    /// Its own quotas.
    pub quotas: KeyQuotas,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
}

impl App {
    /// Makes a key with a new secret, which is shown once.
    pub async fn create_key(&self, account: &Account, wanted: NewKey) -> Result<(ApiKey, Secret), AdminError> {
        let secret = Secret::generate(&*self.randomness);
        let key = self.create_key_with(account, wanted, &secret).await?;
        Ok((key, secret))
    }

    /// Makes a key with a given secret.
    pub async fn create_key_with(
        &self,
        account: &Account,
        wanted: NewKey,
        secret: &Secret,
    ) -> Result<ApiKey, AdminError> {
        check_length("the name", &wanted.name, MAX_NAME_CHARS)?;
        for website_id in wanted.website_ids.iter().flatten() {
            self.check_website(account, website_id).await?;
        }
        let now = self.clock.wall();
        let key = ApiKey {
            id: id::new(Kind::ApiKey, now, &*self.randomness),
            account_id: account.id.clone(),
            name: wanted.name,
            secret_hash: SecretHash::of(secret.reveal()),
            last4: secret.last4(),
            permissions: wanted.permissions,
            website_ids: wanted.website_ids,
            quotas: wanted.quotas,
            created_at: now,
            expires_at: wanted.expires_at,
            revoked_at: None,
        };
        self.store.create_key(&key).await?;
        Ok(key)
    }

    /// Whether a key with this secret exists, live or not.
    pub async fn has_key(&self, secret: &Secret) -> Result<bool, AdminError> {
        Ok(self.store.find_key(SecretHash::of(secret.reveal())).await?.is_some())
    }
}
