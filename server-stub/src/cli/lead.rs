//! `lead export` and `lead erase`: for requests of a person about their data.

use futures::{TryStreamExt as _, pin_mut};

use super::failure::Failure;
use super::run::print;
use crate::app::App;
use crate::config::WhichLeads;

pub(super) async fn export(app: &App, account: &str, email: &str) -> Result<(), Failure> {
    let account = app.account(account).await?;
    let leads = app.export_person(&account, email).await?;
    pin_mut!(leads);
    while let Some(lead) = leads.try_next().await? {
        print(&format!("{}\n", lead.to_json()))?;
    }
    Ok(())
}

pub(super) async fn erase(app: &App, account: &str, which: &WhichLeads) -> Result<(), Failure> {
    let account = app.account(account).await?;
    if let Some(email) = &which.email {
        let count = app.erase_person(&account, email).await?;
        return print(&format!("erased: {count}\n"));
    }
    if let Some(lead_id) = &which.id {
        app.erase_lead(&account, lead_id).await?;
        print(&format!("erased: {lead_id}\n"))?;
    }
    Ok(())
}
