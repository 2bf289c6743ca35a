//! Export and erasure of all data about one person.

use askama::Template;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures::TryStreamExt as _;

use super::super::{FieldErrors, Form, Layout, Notice, Result, Section, Visit, layout};
use crate::app::{AdminError, PersonLead};
use crate::domain::error_chain::ErrorChain;

const PATH: &str = "/dashboard/leads/person";

#[derive(Template)]
#[template(path = "dashboard/leads/person.html")]
struct PersonPage {
    layout: Layout,
    errors: FieldErrors,
    email: String,
    /// True if the page asks to confirm the erasure.
    is_confirming: bool,
}

/// Shows the form that asks for the e-mail address.
pub(in crate::dashboard) async fn show(visit: Visit) -> Result {
    Ok(visit.page(&page(&visit, FieldErrors::default(), "")))
}

/// Returns the person's leads as JSON lines. This is a POST request, because the audit trail records it.
pub(in crate::dashboard) async fn export(visit: Visit, form: Form) -> Result {
    let email = form.text("email");
    let leads = match visit.app().export_person(visit.account(), email).await {
        Err(AdminError::NotAnEmail) => return Ok(refused(&visit, email)),
        other => other?,
    };
    let lines = leads.map_ok(|lead: PersonLead| Bytes::from(lead.to_json().to_string() + "\n")).inspect_err(|error| {
        // The download is cut off, and the browser reports that.
        tracing::error!(error = %ErrorChain(error), "an export of a person's leads failed");
    });
    Ok(layout::download("person.jsonl", "application/jsonl", Body::from_stream(lines)))
}

/// Erases the person's leads after a confirmation.
pub(in crate::dashboard) async fn erase(visit: Visit, form: Form) -> Result {
    let email = form.text("email");
    if !email.contains('@') {
        return Ok(refused(&visit, email));
    }
    if !form.has("confirm") {
        return Ok(visit.page(&PersonPage { is_confirming: true, ..page(&visit, FieldErrors::default(), email) }));
    }
    match visit.app().erase_person(visit.account(), email).await {
        Err(AdminError::NotAnEmail) => Ok(refused(&visit, email)),
        Err(error) => Err(error.into()),
        Ok(count) => Ok(visit.redirect_counting(PATH, Notice::PersonErased, count)),
    }
}

fn refused(visit: &Visit, email: &str) -> Response {
    visit.form_again(&page(
        visit,
        FieldErrors::one("email", "write the whole e-mail address, such as reader@example.com"),
        email,
    ))
}

fn page(visit: &Visit, errors: FieldErrors, email: &str) -> PersonPage {
    let layout = visit.layout("A person's data", Section::Leads);
    PersonPage { layout, errors, email: email.to_owned(), is_confirming: false }
}
