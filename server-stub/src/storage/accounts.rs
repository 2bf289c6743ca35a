//! Accounts. Websites are in `websites`, keys in `keys`, endpoints in `endpoints`.

use crate::domain::account::Account;
use crate::domain::day::Day;
use crate::domain::store::{Error, Result};

use super::sql::{ExclusiveSession, values};
use super::store::Store;

impl Store {
    /// Stores an account. Returns [`AlreadyExists`](crate::domain::store::Error::AlreadyExists) if the name is taken.
    pub async fn create_account(&self, account: &Account) -> Result<()> {
        let account = account.clone();
        self.change(move |session| {
            session.execute(
                "INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, $3)",
                values![&account.id, &account.name, account.created_at],
            )?;
            Ok(())
        })
        .await
    }

    /// Returns the account with that name or id.
    pub async fn find_account(&self, name_or_id: &str) -> Result<Option<Account>> {
        let name_or_id = name_or_id.to_owned();
        self.read_few(move |session| {
            // An id takes precedence over an account name that looks like it.
            session.first(
                "SELECT id, name, created_at FROM accounts WHERE (id = $1 OR name = $1) AND deleted_at IS NULL
                 ORDER BY id = $1 DESC LIMIT 1",
                values![&name_or_id],
                |row| Ok(Account { id: row.text()?, name: row.text()?, created_at: row.time()? }),
            )
        })
        .await
    }

    /// Returns how many jobs the account has queued on this day or the next one, under a daily limit.
    pub async fn queued_on_day(&self, account_id: &str, day: Day) -> Result<u64> {
        let account_id = account_id.to_owned();
        self.read_few(move |session| {
            let jobs = session.number(
                "SELECT jobs FROM accounts WHERE id = $1 AND jobs_day BETWEEN $2 AND $2 + 1",
                values![&account_id, day.number()],
            )?;
            Ok(jobs.unsigned_abs())
        })
        .await
    }

    /// Sets the name that the users of an account see, if they see the name of `former`. Returns true if it has changed.
    pub async fn rename_account(&self, former: &Account, name: &str) -> Result<bool> {
        let (former, name) = (former.clone(), name.to_owned());
        self.change_exclusive(move |session| {
            let changed = session.execute(
                "UPDATE accounts SET display_name = $2 WHERE id = $1 AND coalesce(display_name, name) = $3",
                values![&former.id, &name, &former.name],
            )?;
            Ok(changed > 0)
        })
        .await
    }
}

/// Keeps other transactions from adding to the account, so that counts stay correct until the commit. Returns
/// [`Error::MissingReference`] if there is no such account.
pub(super) fn lock_account(session: &mut dyn ExclusiveSession, account_id: &str) -> Result<()> {
    session.lock(&format!("account:{account_id}"))?;
    let exists = session.exists("SELECT 1 FROM accounts WHERE id = $1 AND deleted_at IS NULL", values![account_id])?;
    if exists { Ok(()) } else { Err(Error::MissingReference) }
}
