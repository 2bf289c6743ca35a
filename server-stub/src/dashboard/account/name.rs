//! Account page: name, id and creation time.

use askama::Template;

use super::super::error::Result;
use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::time::DisplayTime;
use super::super::visit::Visit;
use crate::app::{AdminError, Setting};

#[derive(Template)]
#[template(path = "dashboard/account/name.html")]
struct NamePage<'a> {
    layout: Layout,
    account_id: &'a str,
    created: DisplayTime,
    typed: &'a str,
    errors: FieldErrors,
}

impl<'a> NamePage<'a> {
    fn new(visit: &'a Visit, typed: &'a str, errors: FieldErrors) -> Self {
        Self {
            layout: visit.layout("Account", Section::Account),
            account_id: &visit.account().id,
            created: visit.account().created_at.into(),
            typed,
            errors,
        }
    }
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit) -> Result {
    Ok(visit.page(&NamePage::new(&visit, &visit.account().name, FieldErrors::default())))
}

/// Renames the account.
pub(in crate::dashboard) async fn submit(visit: Visit, form: Form) -> Result {
    let name = form.text("name");
    match visit.app().rename_account(visit.account(), name).await {
        Ok(()) => Ok(visit.redirect("/dashboard/account", Some(Notice::AccountRenamed))),
        Err(error @ (AdminError::Invalid { setting: Setting::Name, .. } | AdminError::NameTaken)) => {
            let errors = FieldErrors::one("name", &error.to_string());
            Ok(visit.form_again(&NamePage::new(&visit, name, errors)))
        }
        Err(error) => Err(error.into()),
    }
}
