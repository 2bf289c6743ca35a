//! Setting a password.

use askama::Template;

use super::super::{FieldErrors, Form, Layout, Notice, Result, Section, Visit};
use crate::domain::user::MIN_PASSWORD_CHARS;

#[derive(Template)]
#[template(path = "dashboard/account/password.html")]
struct PasswordPage {
    layout: Layout,
    /// True if the user must enter the current password.
    needs_current: bool,
    min_chars: usize,
    errors: FieldErrors,
}

impl PasswordPage {
    fn new(visit: &Visit, errors: FieldErrors) -> Self {
        Self {
            layout: visit.layout("Password", Section::Account),
            needs_current: visit.app().needs_current_password(visit.who()),
            min_chars: MIN_PASSWORD_CHARS,
            errors,
        }
    }
}

/// Shows the form.
pub(in crate::dashboard) async fn show(visit: Visit) -> Result {
    Ok(visit.page(&PasswordPage::new(&visit, FieldErrors::default())))
}

/// Sets the password. The browser gets a new token, and all other sessions end.
pub(in crate::dashboard) async fn submit(visit: Visit, form: Form) -> Result {
    if form.raw("new") != form.raw("repeated") {
        let errors = FieldErrors::one("repeated", "the two passwords differ; type the same password twice");
        return Ok(visit.form_again(&PasswordPage::new(&visit, errors)));
    }
    match visit.app().set_password(visit.who(), form.secret("current"), form.secret("new")).await {
        Ok(token) => {
            let mut response = visit.redirect("/dashboard/account/password", Notice::PasswordSet);
            visit.set_token(&mut response, &token);
            Ok(response)
        }
        Err(error) => Ok(visit.form_again(&PasswordPage::new(&visit, FieldErrors::of_change(error, "new")?))),
    }
}
