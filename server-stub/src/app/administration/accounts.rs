//! Creates, finds, renames and deletes accounts, and checks the texts that operators and users type.

use zeroize::Zeroizing;

use super::super::{AdminError, App, Setting};
use crate::domain::account::Account;
use crate::domain::audit::{Action, Actor};
use crate::domain::id::{self, Kind};
use crate::domain::store::DeletionCounts;
use crate::domain::unicode_form::composed;
use crate::domain::user::SignedIn;

/// Maximum length of the name of an account or a key, in characters.
pub(super) const MAX_NAME_CHARS: usize = 80;
/// Error text for a longer name.
pub(super) const NAME_TOO_LONG: &str = "must have at most 80 characters";

impl App {
    /// Creates an account. Names are unique, so they are stored and found in NFC.
    pub async fn create_account(&self, name: &str) -> Result<Account, AdminError> {
        let name = &*composed(name);
        check_line(Setting::Name, name, MAX_NAME_CHARS, NAME_TOO_LONG)?;
        let now = self.clock.wall();
        let account =
            Account { id: id::new(Kind::Account, now, &*self.randomness), name: name.to_owned(), created_at: now };
        let store = self.audited(&account.id, (Action::AccountCreated, Some(&account.id)), Some(name));
        store.create_account(&account).await?;
        Ok(account)
    }

    /// Returns the account with this name or id.
    pub async fn account(&self, name_or_id: &str) -> Result<Account, AdminError> {
        let account = self.store.find_account(&composed(name_or_id)).await?;
        account.ok_or_else(|| AdminError::AccountNotFound(name_or_id.to_owned()))
    }

    /// Sets the name that the users of the account see, if they still see the one in `account`. Another account may have the
    /// same one: a refusal would show that it does. Commands find the account by the name that it was created with.
    pub async fn rename_account(&self, account: &Account, name: &str) -> Result<(), AdminError> {
        let name = &*composed(name);
        check_line(Setting::Name, name, MAX_NAME_CHARS, NAME_TOO_LONG)?;
        if name == account.name {
            return Ok(());
        }
        let detail = format!("{} → {name}", account.name);
        let store = self.audited(&account.id, (Action::AccountRenamed, Some(&account.id)), Some(&detail));
        if store.rename_account(account, name).await? { Ok(()) } else { Err(AdminError::SettingsChanged) }
    }

    /// Returns what the deletion of the account removes.
    pub async fn account_to_delete(&self, account: &Account) -> Result<DeletionCounts, AdminError> {
        Ok(self.store.count_to_delete(&account.id).await?)
    }

    /// Deletes the account with all of its records; `name` is its name, typed to confirm that. It is invisible at once. The purger
    /// removes the records, except for an entry of the audit trail without personal data.
    pub async fn delete_account(&self, account: &Account, name: &str) -> Result<(), AdminError> {
        self.delete_account_of(account, name, None).await
    }

    /// Deletes the account like [`App::delete_account`] for its last user, who enters the password too.
    pub async fn delete_own_account(
        &self,
        who: &SignedIn,
        name: &str,
        password: Zeroizing<String>,
    ) -> Result<(), AdminError> {
        self.confirm_session(who, password).await?;
        self.acting_as(Actor::User(who.user.id.clone().into()))
            .delete_account_of(&who.account, name, Some(&who.user.id))
            .await
    }

    async fn delete_account_of(
        &self,
        account: &Account,
        name: &str,
        last_user: Option<&str>,
    ) -> Result<(), AdminError> {
        Setting::Name.require(*composed(name.trim()) == *account.name, "must be the name of the account")?;
        let counts = self.account_to_delete(account).await?;
        let detail = format!("{} websites, {} articles, {} leads", counts.websites, counts.articles, counts.leads);
        let store = self.audited(&account.id, (Action::AccountDeleted, Some(&account.id)), Some(&detail));
        if !store.delete_account(&account.id, last_user, self.clock.wall()).await? {
            return Err(AdminError::OtherUsers);
        }
        tracing::info!(account_id = %account.id, "an account was deleted");
        Ok(())
    }
}

/// Returns an error if the text is blank, if it has more than `max` characters, or if people would not see exactly this text. `too_long`
/// is the reason for a long one.
pub(super) fn check_line(setting: Setting, text: &str, max: usize, too_long: &'static str) -> Result<(), AdminError> {
    setting.require(!text.trim().is_empty(), "must not be empty")?;
    setting.require(text.chars().count() <= max, too_long)?;
    setting.require_plain_line(text)
}
