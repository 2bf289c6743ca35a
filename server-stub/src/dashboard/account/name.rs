//! Account page: name, id and creation time.

use askama::Template;

use super::super::{DisplayTime, FieldErrors, Form, Layout, Notice, Result, Section, Visit};

#[derive(Template)]
#[template(path = "dashboard/account/name.html")]
struct NamePage<'a> {
    layout: Layout,
    account_id: &'a str,
    created: DisplayTime,
    typed: Form,
    errors: FieldErrors,
}

impl<'a> NamePage<'a> {
    fn new(visit: &'a Visit, typed: Form, errors: FieldErrors) -> Self {
        Self {
            layout: visit.layout("Account", Section::Account),
            account_id: &visit.account().id,
            created: visit.account().created_at.into(),
            typed,
            errors,
        }
    }
}

/// Returns the form of the account.
fn form_of(visit: &Visit) -> Form {
    Form::of([("name", visit.account().name.clone())])
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit) -> Result {
    Ok(visit.page(&NamePage::new(&visit, form_of(&visit).opened(), FieldErrors::default())))
}

/// Renames the account.
pub(in crate::dashboard) async fn submit(visit: Visit, mut form: Form) -> Result {
    let errors = match form.require_unchanged(&form_of(&visit), "name") {
        Ok(()) => match visit.app().rename_account(visit.account(), form.text("name")).await {
            Ok(()) => return Ok(visit.redirect("/dashboard/account", Notice::AccountRenamed)),
            Err(error) => FieldErrors::of_change(error, "name")?,
        },
        Err(errors) => errors,
    };
    Ok(visit.form_again(&NamePage::new(&visit, form, errors)))
}
