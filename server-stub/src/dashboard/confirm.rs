//! Asks for the password before a form that creates access or takes data out, unless the user confirmed the session a short time ago.
//! The page repeats the form with a field for the password, so nothing that the user typed is lost.

use std::sync::Arc;

use askama::Template;
use axum::extract::{FromRequestParts as _, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;

use super::guard::CSRF_FIELD;
use super::layout::html;
use super::{Dashboard, FieldErrors, Form, Layout, Section, Visit};
use crate::domain::user::CONFIRMATION_LIFETIME;

/// Field with the password.
const PASSWORD_FIELD: &str = "current";

#[derive(Template)]
#[template(path = "dashboard/confirm.html")]
struct ConfirmPage<'a> {
    layout: Layout,
    path: &'a str,
    /// Fields of the form to repeat.
    fields: Vec<(String, String)>,
    has_password: bool,
    minutes: u64,
    errors: FieldErrors,
}

/// Lets a form pass if its session is confirmed, or if it contains the password. Otherwise shows the page that asks for it.
pub(super) async fn guard(State(dashboard): State<Arc<Dashboard>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let Ok(visit) = Visit::from_request_parts(&mut parts, &dashboard).await;
    let Ok(form) = Form::from_request_parts(&mut parts, &dashboard).await;
    if !visit.who().session.is_confirmed(visit.app().clock().wall()) {
        if !form.has(PASSWORD_FIELD) {
            return ask(&visit, parts.uri.path(), &form, StatusCode::FORBIDDEN, FieldErrors::default());
        }
        let confirmed = visit.app().confirm_session(visit.who(), form.secret(PASSWORD_FIELD)).await;
        match confirmed.map_err(|error| FieldErrors::of_change(error, PASSWORD_FIELD)) {
            Ok(()) => {}
            Err(Ok(errors)) => {
                return ask(&visit, parts.uri.path(), &form, StatusCode::UNPROCESSABLE_ENTITY, errors);
            }
            Err(Err(failure)) => return failure.into_response(),
        }
    }
    next.run(Request::from_parts(parts, body)).await
}

fn ask(visit: &Visit, path: &str, form: &Form, status: StatusCode, errors: FieldErrors) -> Response {
    let page = ConfirmPage {
        layout: visit.layout("Confirm with your password", Section::Account),
        path,
        fields: form.without(&[CSRF_FIELD, PASSWORD_FIELD, "username"]),
        has_password: visit.who().user.password_hash.is_some(),
        minutes: CONFIRMATION_LIFETIME.as_secs() / 60,
        errors,
    };
    html(status, &page)
}
