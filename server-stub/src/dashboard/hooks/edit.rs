//! Registration and settings of an endpoint.

use askama::Template;
use axum::extract::Path;

use super::super::error::{Failure, Result, sentence};
use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use super::display::EVENTS;
use super::secret;
use crate::app::{AdminError, EndpointView, HookSettings, Setting};
use crate::domain::account::Website;
use crate::domain::error_chain::ErrorChain;
use crate::domain::event::EventType;
use crate::domain::store;

#[derive(Template)]
#[template(path = "dashboard/hooks/edit.html")]
struct EditPage {
    layout: Layout,
    /// Id of the endpoint; empty for a new one.
    hook_id: String,
    typed: Typed,
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

/// Form fields as submitted.
#[derive(Debug, Clone, Default)]
struct Typed {
    url: String,
    events: Vec<String>,
    website_id: String,
    include_content: bool,
    description: String,
}

impl Typed {
    fn new_endpoint() -> Self {
        let events = EventType::DEFAULT.map(|event| event.as_str().to_owned()).into();
        Self { events, ..Self::default() }
    }

    fn read(form: &Form) -> Self {
        Self {
            url: form.text("url").to_owned(),
            events: form.all("event").map(str::to_owned).collect(),
            website_id: form.text("website_id").to_owned(),
            include_content: form.has("include_content"),
            description: form.text("description").to_owned(),
        }
    }

    fn of(view: &EndpointView) -> Self {
        let endpoint = &view.state.endpoint;
        Self {
            url: endpoint.url.clone(),
            events: endpoint.events.iter().map(|event| event.as_str().to_owned()).collect(),
            website_id: endpoint.website_id.clone().unwrap_or_default(),
            include_content: endpoint.include_content,
            description: endpoint.description.clone().unwrap_or_default(),
        }
    }

    /// Returns the settings. `former` lists the current events: those that the form does not show are kept.
    fn settings(&self, former: &[EventType]) -> HookSettings {
        let is_shown = |event: &EventType| EVENTS.iter().any(|(shown, _)| shown == event);
        let chosen = EVENTS.iter().map(|(event, _)| *event).filter(|event| self.has(*event));
        let others = former.iter().copied().filter(|event| !is_shown(event));
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        HookSettings {
            url: self.url.clone(),
            events: chosen.chain(others).collect(),
            website_id: text(&self.website_id),
            include_content: self.include_content,
            description: text(&self.description),
        }
    }

    fn has(&self, event: EventType) -> bool {
        self.events.iter().any(|name| name == event.as_str())
    }
}

/// Shows the empty form.
pub(in crate::dashboard) async fn show_new(visit: Visit) -> Result {
    let page = page(&visit, String::new(), Typed::new_endpoint(), FieldErrors::default()).await?;
    Ok(visit.page(&page))
}

/// Registers the endpoint, and shows its secret once.
pub(in crate::dashboard) async fn create(visit: Visit, form: Form) -> Result {
    let typed = Typed::read(&form);
    match visit.app().create_hook(visit.account(), typed.settings(&[])).await {
        Ok(endpoint) => Ok(secret::page_of_new(&visit, &endpoint)),
        Err(error) => Ok(visit.form_again(&page(&visit, String::new(), typed, at_field(error)?).await?)),
    }
}

/// Shows the settings of an endpoint.
pub(in crate::dashboard) async fn show(visit: Visit, Path(hook_id): Path<String>) -> Result {
    let view = visit.app().find_endpoint(visit.account(), &hook_id).await?;
    Ok(visit.page(&page(&visit, hook_id, Typed::of(&view), FieldErrors::default()).await?))
}

/// Changes the settings.
pub(in crate::dashboard) async fn save(visit: Visit, Path(hook_id): Path<String>, form: Form) -> Result {
    let view = visit.app().find_endpoint(visit.account(), &hook_id).await?;
    let typed = Typed::read(&form);
    let settings = typed.settings(&view.state.endpoint.events);
    match visit.app().save_hook(visit.account(), view.state.endpoint, settings).await {
        Ok(()) => Ok(visit.redirect(&format!("/dashboard/hooks/{hook_id}"), Some(Notice::HookSaved))),
        Err(error) => Ok(visit.form_again(&page(&visit, hook_id, typed, at_field(error)?).await?)),
    }
}

async fn page(visit: &Visit, hook_id: String, typed: Typed, errors: FieldErrors) -> Result<EditPage> {
    let title = if hook_id.is_empty() { "New endpoint" } else { "Settings of an endpoint" };
    let choice =
        |(event, tells): (EventType, &'static str)| Choice { name: event.as_str(), tells, is_chosen: typed.has(event) };
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

/// Returns the error for its field, or a failure if it belongs to no field.
fn at_field(error: AdminError) -> Result<FieldErrors, Failure> {
    let text = sentence(&ErrorChain(&error).to_string());
    let field = match &error {
        AdminError::HookAddress(_) => "url",
        AdminError::Invalid { setting: Setting::HookEvents, .. } => "events",
        AdminError::Invalid { setting: Setting::HookDescription, .. } => "description",
        AdminError::WebsiteNotFound(_) => return Ok(FieldErrors::one("website_id", "choose one of your websites")),
        AdminError::Store(store::Error::LimitReached { .. }) => "url",
        _ => return Err(error.into()),
    };
    Ok(FieldErrors::one(field, &text))
}
