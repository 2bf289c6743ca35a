//! Deletion of the account by its last user: the page that confirms it, and the form.

use askama::Template;

use super::super::{FieldErrors, Form, Layout, Result, Section, Visit};
use crate::domain::store::DeletionCounts;

#[derive(Template)]
#[template(path = "dashboard/account/delete.html")]
struct DeletePage {
    layout: Layout,
    has_other_users: bool,
    counts: DeletionCounts,
    errors: FieldErrors,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show(visit: Visit) -> Result {
    Ok(visit.page(&page(&visit, FieldErrors::default()).await?))
}

/// Deletes the account.
pub(in crate::dashboard) async fn submit(visit: Visit, form: Form) -> Result {
    match visit.app().delete_own_account(visit.who(), form.text("name"), form.secret("current")).await {
        Ok(()) => Ok(visit.to_sign_in()),
        Err(error) => {
            let errors = FieldErrors::of_change(error, "name")?;
            Ok(visit.form_again(&page(&visit, errors).await?))
        }
    }
}

async fn page(visit: &Visit, errors: FieldErrors) -> Result<DeletePage> {
    Ok(DeletePage {
        layout: visit.layout("Delete the account", Section::Account),
        has_other_users: visit.app().users(visit.account()).await?.len() > 1,
        counts: visit.app().account_to_delete(visit.account()).await?,
        errors,
    })
}
