//! Creates, finds and renames accounts.

use super::super::service::App;
use super::bounds::{MAX_NAME_CHARS, NAME_TOO_LONG, check_length};
use super::error::{AdminError, Setting};
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::id::{self, Kind};

impl App {
    /// Creates an account.
    pub async fn create_account(&self, name: &str) -> Result<Account, AdminError> {
        check_length(Setting::Name, name, MAX_NAME_CHARS, NAME_TOO_LONG)?;
        let now = self.clock.wall();
        let account =
            Account { id: id::new(Kind::Account, now, &*self.randomness), name: name.to_owned(), created_at: now };
        let store = self.audited(&account.id, (Action::AccountCreated, Some(&account.id)), Some(name));
        store.create_account(&account).await?;
        Ok(account)
    }

    /// Returns the account with this name or id.
    pub async fn account(&self, name_or_id: &str) -> Result<Account, AdminError> {
        let account = self.store.find_account(name_or_id).await?;
        account.ok_or_else(|| AdminError::AccountNotFound(name_or_id.to_owned()))
    }

    /// Renames the account. Names are unique.
    pub async fn rename_account(&self, account: &Account, name: &str) -> Result<(), AdminError> {
        check_length(Setting::Name, name, MAX_NAME_CHARS, NAME_TOO_LONG)?;
        let detail = format!("{} → {name}", account.name);
        let store = self.audited(&account.id, (Action::AccountRenamed, Some(&account.id)), Some(&detail));
        store.rename_account(&account.id, name).await?;
        Ok(())
    }
}
