//! What somebody does first with a new account.

use super::super::service::App;
use crate::domain::account::Account;
use crate::domain::store::{FirstSteps, Result};

impl App {
    /// Which of the first steps were taken.
    pub async fn first_steps(&self, account: &Account) -> Result<FirstSteps> {
        self.store.first_steps(&account.id).await
    }
}
