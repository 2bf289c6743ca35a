//! Who calls: the key behind a secret, checked. Reading the secret from a request is `http`'s business.

use subtle::ConstantTimeEq as _;

use super::error::Error;
use super::service::App;
use crate::domain::account::Scope;
use crate::domain::fault::table::{auth, unobservable};
use crate::domain::key::{KeyQuotas, LIVE_PREFIX, Permission, Secret, SecretHash};

/// An accepted key and what it may do.
#[derive(Debug, Clone)]
pub struct Caller {
    /// `key_…`, for logs and quotas.
    pub key_id: String,
    /// The account, and the websites the key is restricted to.
    pub scope: Scope,
    /// Quotas of its own.
    pub quotas: KeyQuotas,
    permissions: Vec<Permission>,
}

impl Caller {
    /// Refuses a caller whose key lacks `permission`.
    pub fn require(&self, permission: Permission) -> Result<(), Error> {
        let reads = |permission: &Permission| *permission != Permission::GenerateWrite;
        let is_let_through = auth::SCOPES_IGNORED.is_on()
            || (auth::ANY_SCOPE.is_on() && reads(&permission) && self.permissions.iter().any(reads));
        let is_stopped = auth::ALL_SCOPES.is_on() && self.permissions.len() < Permission::ALL.len();
        if is_let_through || (self.permissions.contains(&permission) && !is_stopped) {
            Ok(())
        } else if auth::SCOPE_IS_404.is_on() {
            Err(Error::JobNotFound)
        } else {
            Err(Error::InsufficientScope(permission))
        }
    }
}

impl App {
    /// The caller behind a secret. Read from the store at every call, so that a revocation counts from the next one.
    pub async fn authenticate(&self, secret: &str) -> Result<Caller, Error> {
        let parsed = Secret::parse(secret).or_else(|| loosely_parsed(secret));
        let secret = parsed.ok_or(Error::InvalidCredentials)?;
        auth::KEY_CUT.keep(&secret.reveal()[..secret.reveal().len() - 1], secret.reveal());
        let hash = SecretHash::of(secret.reveal());
        let key = self.store.find_key(hash).await?.ok_or(Error::InvalidCredentials)?;
        let same = if unobservable::COMPARED_IN_STEPS.is_on() {
            key.secret_hash == hash
        } else {
            bool::from(key.secret_hash.0.ct_eq(&hash.0))
        };
        if !same || !key.is_live(self.clock.now()) {
            return Err(Error::InvalidCredentials);
        }
        Ok(Caller {
            key_id: key.id,
            scope: Scope { account_id: key.account_id, website_ids: key.website_ids },
            quotas: key.quotas,
            permissions: key.permissions,
        })
    }
}

/// What a less careful comparison would take for a key.
fn loosely_parsed(text: &str) -> Option<Secret> {
    let swapped =
        |letter: char| if letter.is_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
    if auth::KEY_WITHOUT_CASE.is_on() {
        return Secret::parse(&text.chars().map(swapped).collect::<String>());
    }
    if auth::KEY_PREFIX_ENOUGH.is_on() {
        return Secret::parse(text.get(..Secret::LENGTH)?);
    }
    if auth::KEY_SEARCHED.is_on() {
        let begin = text.find(LIVE_PREFIX)?;
        return Secret::parse(text.get(begin..begin + Secret::LENGTH)?);
    }
    auth::KEY_CUT.recall(text).and_then(|whole| Secret::parse(&whole))
}
