//! Registration and settings of an endpoint.

use askama::Template;
use axum::extract::Path;

use super::super::{Failure, FieldErrors, Form, Layout, Notice, Result, Section, Visit, ticked};
use super::display::EVENTS;
use super::secret;
use crate::app::{AdminError, EndpointView, HookSettings};
use crate::domain::account::Website;
use crate::domain::event::EventType;

#[derive(Template)]
#[template(path = "dashboard/hooks/edit.html")]
struct EditPage {
    layout: Layout,
    /// Id of the endpoint; empty for a new one.
    hook_id: String,
    typed: Form,
    choices: Vec<Choice>,
    websites: Vec<Website>,
    errors: FieldErrors,
}

/// Event with its check box.
struct Choice {
    name: &'static str,
    tells: &'static str,
    is_chosen: bool,
}

/// Returns the form of an endpoint.
fn form_of(view: &EndpointView) -> Form {
    let endpoint = &view.state.endpoint;
    let fields = [
        ("url", endpoint.url.clone()),
        ("website_id", endpoint.website_id.clone().unwrap_or_default()),
        ("include_content", ticked(endpoint.include_content)),
        ("description", endpoint.description.clone().unwrap_or_default()),
    ];
    Form::of(fields.into_iter().chain(endpoint.events.iter().map(|event| ("event", event.as_str().to_owned()))))
}

/// Returns the settings in a form. `former` lists the current events: those that the form does not show are kept.
fn settings(form: &Form, former: &[EventType]) -> HookSettings {
    let is_shown = |event: &EventType| EVENTS.iter().any(|(shown, _)| shown == event);
    let chosen = EVENTS.iter().map(|(event, _)| *event).filter(|event| form.contains("event", event.as_str()));
    let others = former.iter().copied().filter(|event| !is_shown(event));
    HookSettings {
        url: form.text("url").to_owned(),
        events: chosen.chain(others).collect(),
        website_id: form.filled("website_id"),
        include_content: form.has("include_content"),
        description: form.filled("description"),
    }
}

/// Shows the empty form.
pub(in crate::dashboard) async fn show_new(visit: Visit) -> Result {
    let typed = Form::of(EventType::DEFAULT.map(|event| ("event", event.as_str().to_owned())));
    Ok(visit.page(&page(&visit, String::new(), typed, FieldErrors::default()).await?))
}

/// Registers the endpoint, and shows its secret once.
pub(in crate::dashboard) async fn create(visit: Visit, form: Form) -> Result {
    match visit.app().create_hook(visit.account(), settings(&form, &[])).await {
        Ok(endpoint) => Ok(secret::page_of_new(&visit, &endpoint)),
        Err(error) => Ok(visit.form_again(&page(&visit, String::new(), form, at_field(error)?).await?)),
    }
}

/// Shows the settings of an endpoint.
pub(in crate::dashboard) async fn show(visit: Visit, Path(hook_id): Path<String>) -> Result {
    let view = visit.app().find_endpoint(visit.account(), &hook_id).await?;
    Ok(visit.page(&page(&visit, hook_id, form_of(&view).opened(), FieldErrors::default()).await?))
}

/// Changes the settings.
pub(in crate::dashboard) async fn save(visit: Visit, Path(hook_id): Path<String>, mut form: Form) -> Result {
    let view = visit.app().find_endpoint(visit.account(), &hook_id).await?;
    let endpoint = &view.state.endpoint;
    let errors = match form.require_unchanged(&form_of(&view), "url") {
        Ok(()) => match visit.app().save_hook(visit.account(), endpoint, settings(&form, &endpoint.events)).await {
            Ok(()) => return Ok(visit.redirect(&format!("/dashboard/hooks/{hook_id}"), Notice::HookSaved)),
            Err(error) => at_field(error)?,
        },
        Err(errors) => errors,
    };
    Ok(visit.form_again(&page(&visit, hook_id, form, errors).await?))
}

async fn page(visit: &Visit, hook_id: String, typed: Form, errors: FieldErrors) -> Result<EditPage> {
    let title = if hook_id.is_empty() { "New endpoint" } else { "Settings of an endpoint" };
    let choice = |(event, tells): (EventType, &'static str)| Choice {
        name: event.as_str(),
        tells,
        is_chosen: typed.contains("event", event.as_str()),
    };
    let websites = visit.app().websites(visit.account()).await?;
    Ok(EditPage {
        layout: visit.layout(title, Section::Hooks),
        choices: EVENTS.into_iter().map(choice).collect(),
        websites,
        hook_id,
        typed,
        errors,
    })
}

/// Returns the error at its field, or a failure if it belongs to no field.
fn at_field(error: AdminError) -> Result<FieldErrors, Failure> {
    match error {
        AdminError::WebsiteNotFound(_) => Ok(FieldErrors::one("website_id", "choose one of your websites")),
        error => FieldErrors::of_change(error, "url"),
    }
}
