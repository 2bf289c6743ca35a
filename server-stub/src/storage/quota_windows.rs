//! Quota windows that several processes share. They exist only on PostgreSQL, because only one process serves an SQLite file.

use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::store::{QuotaLease, QuotaLeaseRequest, QuotaSubject, Result, SharedWindows};

use super::postgres::Postgres;
use super::secret_cipher::SecretCipher;
use super::store::{Engine, Store};

impl Store {
    /// Returns the windows that all processes of this database share; `None` for SQLite, where one process counts in its
    /// memory.
    pub fn shared_windows(&self) -> Option<Arc<dyn SharedWindows>> {
        match &self.engine {
            Engine::Sqlite(_) => None,
            Engine::Postgres(postgres) => {
                let (postgres, cipher) = (Arc::clone(postgres), Arc::clone(&self.cipher));
                Some(Arc::new(PostgresWindows { postgres, cipher }))
            }
        }
    }
}

/// Leases quotas from a PostgreSQL database.
#[derive(Debug)]
struct PostgresWindows {
    postgres: Arc<Postgres>,
    cipher: Arc<SecretCipher>,
}

#[async_trait]
impl SharedWindows for PostgresWindows {
    async fn lease(&self, request: &QuotaLeaseRequest) -> Result<QuotaLease> {
        let subject = match &request.subject {
            QuotaSubject::Key(id) => id.clone(),
            QuotaSubject::Address(address) => self.cipher.pseudonym(address),
        };
        self.postgres.lease(subject, request.clone()).await
    }
}
