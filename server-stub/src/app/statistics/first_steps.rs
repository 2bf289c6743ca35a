//! Reports the first steps of a new account.

use super::super::service::App;
use crate::domain::account::Account;
use crate::domain::store::{FirstSteps, Result};

impl App {
    /// Returns which of the first steps are done.
    pub async fn first_steps(&self, account: &Account) -> Result<FirstSteps> {
        self.store.first_steps(&account.id).await
    }
}
