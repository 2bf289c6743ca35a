//! Account page: name, id and creation time.

use askama::Template;

use super::super::{DisplayTime, FieldErrors, Form, Layout, Notice, Result, Section, Visit};

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
        Ok(()) => Ok(visit.redirect("/dashboard/account", Notice::AccountRenamed)),
        Err(error) => {
            let errors = FieldErrors::of_change(error, "name")?;
            Ok(visit.form_again(&NamePage::new(&visit, name, errors)))
        }
    }
}
