//! Creates, finds and renames accounts, and checks the texts that operators and users type.

use super::super::{AdminError, App, Setting};
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::id::{self, Kind};
use crate::domain::unicode_form::composed;

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
}

/// Returns an error if the text is blank, if it has more than `max` characters, or if people would not see exactly this text. `too_long`
/// is the reason for a long one.
pub(super) fn check_line(setting: Setting, text: &str, max: usize, too_long: &'static str) -> Result<(), AdminError> {
    setting.require(!text.trim().is_empty(), "must not be empty")?;
    setting.require(text.chars().count() <= max, too_long)?;
    setting.require_plain_line(text)
}
