//! The log of deliveries, of one endpoint or of all of them.

use askama::Template;

use super::super::error::Result;
use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use super::super::frame::{Frame, Section};
use super::super::paging::{PAGE_FIELD, Paging};
use super::super::visit::Visit;
use super::filter::{FIELDS, STATES, TypedFilter};
use super::shown::{ShownDelivery, ShownEndpoint};
use crate::domain::delivery::DeliveryState;
use crate::domain::event::EventType;

const PATH: &str = "/dashboard/hooks/deliveries";

#[derive(Template)]
#[template(path = "dashboard/hooks/deliveries.html")]
struct DeliveriesPage {
    frame: Frame,
    typed: TypedFilter,
    /// The query of the page that sends again what failed among these; empty when nothing among them can have failed.
    failed_query: String,
    is_filtered: bool,
    endpoints: Vec<ShownEndpoint>,
    events: [&'static str; 4],
    states: Vec<(&'static str, &'static str)>,
    deliveries: Vec<ShownDelivery>,
    /// How many deliveries are due or being sent.
    due: u64,
    errors: FieldErrors,
    paging: Paging,
}

/// The page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let typed = TypedFilter::read(&query);
    let (filter, errors) = typed.parse();
    let token = Some(query.text(PAGE_FIELD)).filter(|token| !token.is_empty());
    let websites = visit.app().websites(visit.account()).await?;
    let endpoints = visit.app().list_endpoints(visit.account()).await?;
    let endpoints: Vec<_> = endpoints.iter().map(|view| ShownEndpoint::new(view, &websites)).collect();
    let found = visit.app().find_deliveries(visit.account(), &filter, token).await?;
    let path = format!("{}{PATH}", visit.base());
    let failed_query = match filter.state {
        None => TypedFilter { state: DeliveryState::NotDelivered.as_str().to_owned(), ..typed.clone() }.query(),
        Some(state) if state.has_failed() => typed.query(),
        Some(_) => String::new(),
    };
    Ok(visit.page(&DeliveriesPage {
        frame: visit.frame("Deliveries", Section::Hooks),
        failed_query,
        is_filtered: typed != TypedFilter::default(),
        due: visit.app().count_due(visit.account(), filter.endpoint_id.as_deref()).await?,
        deliveries: found.items.iter().map(|delivery| ShownDelivery::new(delivery, &endpoints)).collect(),
        paging: Paging::new(&path, &query, &FIELDS, found.next_page.as_deref()),
        endpoints,
        events: EventType::ALL.map(EventType::as_str),
        states: STATES.into_iter().map(|(state, name)| (state.as_str(), name)).collect(),
        typed,
        errors,
    }))
}
