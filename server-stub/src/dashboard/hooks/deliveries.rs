//! Delivery log of one endpoint or of all endpoints.

use askama::Template;

use super::super::error::Result;
use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::paging::Paging;
use super::super::visit::Visit;
use super::display::{DisplayedDelivery, DisplayedEndpoint};
use super::filter::{FIELDS, FilterForm, STATES};
use crate::app::Page;
use crate::domain::delivery::DeliveryState;
use crate::domain::event::EventType;

const PATH: &str = "/dashboard/hooks/deliveries";

#[derive(Template)]
#[template(path = "dashboard/hooks/deliveries.html")]
struct DeliveriesPage {
    layout: Layout,
    typed: FilterForm,
    /// Query of the page that redelivers the failed ones among these deliveries; empty if none can have failed.
    failed_query: String,
    is_filtered: bool,
    endpoints: Vec<DisplayedEndpoint>,
    events: [&'static str; 5],
    states: Vec<(&'static str, &'static str)>,
    deliveries: Vec<DisplayedDelivery>,
    /// Number of deliveries that are due or being sent.
    due: u64,
    errors: FieldErrors,
    paging: Paging,
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let typed = FilterForm::read(&query);
    let (filter, errors) = match typed.parse() {
        Ok(filter) => (Some(filter), FieldErrors::default()),
        Err(errors) => (None, errors),
    };
    let websites = visit.app().websites(visit.account()).await?;
    let endpoints = visit.app().list_endpoints(visit.account()).await?;
    let endpoints: Vec<_> = endpoints.iter().map(|view| DisplayedEndpoint::new(view, &websites)).collect();
    let found = match &filter {
        Some(filter) => visit.app().find_deliveries(visit.account(), filter, query.page_token()).await?,
        None => Page { items: Vec::new(), next_page: None },
    };
    // Deliveries to a paused endpoint wait until a user resumes it, so they do not count.
    let is_active = |id: &str| endpoints.iter().any(|one| one.id == id && one.is_active);
    let due = match filter.as_ref().map(|filter| filter.endpoint_id.as_deref()) {
        Some(endpoint_id) if endpoint_id.is_none_or(is_active) => {
            visit.app().count_due(visit.account(), endpoint_id).await?
        }
        _ => 0,
    };
    let failed_query = match filter.map(|filter| filter.state) {
        Some(None) => FilterForm { state: DeliveryState::NotDelivered.as_str().to_owned(), ..typed.clone() }.query(),
        Some(Some(state)) if state.has_failed() => typed.query(),
        Some(Some(_)) | None => String::new(),
    };
    let path = format!("{}{PATH}", visit.base());
    let has_errors = !errors.is_empty();
    let page = DeliveriesPage {
        layout: visit.layout("Deliveries", Section::Hooks),
        failed_query,
        is_filtered: typed != FilterForm::default(),
        due,
        deliveries: found.items.iter().map(|delivery| DisplayedDelivery::new(delivery, &endpoints)).collect(),
        paging: Paging::new(&path, &query, &FIELDS, found.next_page.as_deref()),
        endpoints,
        events: EventType::ALL.map(EventType::as_str),
        states: STATES.into_iter().map(|(state, name)| (state.as_str(), name)).collect(),
        typed,
        errors,
    };
    Ok(if has_errors { visit.form_again(&page) } else { visit.page(&page) })
}
