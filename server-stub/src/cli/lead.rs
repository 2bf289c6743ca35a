//! `lead erase`: erases a person's data on request.

use super::failure::Failure;
use super::run::print;
use crate::app::App;

pub(super) async fn erase(app: &App, account: &str, lead_id: &str) -> Result<(), Failure> {
    let account = app.account(account).await?;
    app.erase_lead(&account, lead_id).await?;
    print(&format!("erased: {lead_id}\n"))
}
