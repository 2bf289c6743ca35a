//! [`QuotaWindows`] on a database: PostgreSQL is shared by processes, and an SQLite file is not.

use async_trait::async_trait;

use crate::domain::store::{QuotaLease, QuotaLeaseRequest, QuotaSubject, QuotaWindows, Result, SharedWindows};
use crate::storage::postgres::Postgres;
use crate::storage::sqlite::Sqlite;

use super::SqlStore;

impl QuotaWindows for SqlStore<Sqlite> {
    fn shared_windows(&self) -> Option<&dyn SharedWindows> {
        None
    }
}

impl QuotaWindows for SqlStore<Postgres> {
    fn shared_windows(&self) -> Option<&dyn SharedWindows> {
        Some(self)
    }
}

#[async_trait]
impl SharedWindows for SqlStore<Postgres> {
    async fn lease(&self, request: &QuotaLeaseRequest) -> Result<QuotaLease> {
        let subject = match &request.subject {
            QuotaSubject::Key(id) => id.clone(),
            QuotaSubject::Address(address) => self.cipher.pseudonym(address),
        };
        self.backend.lease(subject, request.clone()).await
    }
}
