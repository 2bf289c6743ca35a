//! Delivery log of one endpoint or of all endpoints, its filter, and redelivery of all failed deliveries that match it.

use askama::Template;
use chrono::NaiveDateTime;

use super::super::{FieldErrors, Form, Layout, Notice, Paging, Result, Section, Visit};
use super::display::{DisplayedDelivery, DisplayedEndpoint};
use crate::app::{MAX_REDELIVERED, Matching, Page};
use crate::domain::clock::Timestamp;
use crate::domain::delivery::DeliveryState;
use crate::domain::event::EventType;
use crate::domain::store::DeliveryFilter;
use crate::domain::time_zone::TimeZone;

const PATH: &str = "/dashboard/hooks/deliveries";
/// Names of the fields.
const FIELDS: [&str; 5] = ["endpoint", "event", "state", "from", "until"];
/// States, with their labels.
const STATES: [(DeliveryState, &str); 6] = [
    (DeliveryState::NotDelivered, "not delivered (failing, failed or exhausted)"),
    (DeliveryState::Failing, "failing (tried again later)"),
    (DeliveryState::Pending, "pending"),
    (DeliveryState::Failed, "failed (given up early)"),
    (DeliveryState::Exhausted, "exhausted (all attempts used up)"),
    (DeliveryState::Succeeded, "succeeded"),
];
/// Maximum length of an id in the filter, in characters.
const MAX_ID_CHARS: usize = 64;

#[derive(Template)]
#[template(path = "dashboard/hooks/deliveries.html")]
struct DeliveriesPage {
    layout: Layout,
    typed: Form,
    /// Time zone of the times in the filter.
    zone: &'static str,
    /// Query of the page that redelivers the failed ones among these deliveries; empty if none can have failed.
    failed_query: String,
    is_filtered: bool,
    endpoints: Vec<DisplayedEndpoint>,
    events: [&'static str; 7],
    states: Vec<(&'static str, &'static str)>,
    deliveries: Vec<DisplayedDelivery>,
    /// Number of deliveries that are due or being sent.
    due: u64,
    errors: FieldErrors,
    paging: Paging,
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let (endpoints, zone) = endpoints(&visit, &query).await?;
    let (filter, errors) = match parse_filter(&query, zone) {
        Ok(filter) => (Some(filter), FieldErrors::default()),
        Err(errors) => (None, errors),
    };
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
        Some(state) if state.is_none_or(DeliveryState::has_failed) => with_state(query.clone()).query(&FIELDS),
        _ => String::new(),
    };
    let has_errors = !errors.is_empty();
    let page = DeliveriesPage {
        layout: visit.layout("Deliveries", Section::Hooks),
        zone: zone.name(),
        failed_query,
        is_filtered: !query.query(&FIELDS).is_empty(),
        due,
        deliveries: found.items.iter().map(|delivery| DisplayedDelivery::new(delivery, &endpoints)).collect(),
        paging: visit.paging(PATH, &query, &FIELDS, found.next_page.as_deref()),
        endpoints,
        events: EventType::ALL.map(EventType::as_str),
        states: STATES.into_iter().map(|(state, name)| (state.as_str(), name)).collect(),
        typed: query,
        errors,
    };
    Ok(if has_errors { visit.form_again(&page) } else { visit.page(&page) })
}

/// Returns the account's endpoints, and the time zone of the times in the filter: that of the chosen endpoint, or that of all
/// websites if they agree, otherwise UTC.
async fn endpoints(visit: &Visit, form: &Form) -> Result<(Vec<DisplayedEndpoint>, TimeZone)> {
    let websites = visit.app().websites(visit.account()).await?;
    let views = visit.app().list_endpoints(visit.account()).await?;
    let endpoints: Vec<_> = views.iter().map(|view| DisplayedEndpoint::new(view, &websites)).collect();
    let chosen = endpoints.iter().find(|endpoint| endpoint.id == form.text("endpoint"));
    let zone = chosen.map_or_else(|| TimeZone::of_list(&websites, ""), |endpoint| endpoint.zone);
    Ok((endpoints, zone))
}

/// Parses the filter of the form. Its times are in `zone`.
fn parse_filter(form: &Form, zone: TimeZone) -> Result<DeliveryFilter, FieldErrors> {
    let mut errors = FieldErrors::default();
    let event_type = errors.parsed(form, "event", EventType::parse, "unknown event; choose one from the list");
    let state = errors.parsed(form, "state", DeliveryState::parse, "unknown state; choose one from the list");
    let text = "write the time like 2026-11-23T14:00, or leave it empty";
    let since = errors.parsed(form, "from", |typed| parse_time(typed, zone), text);
    let until = errors.parsed(form, "until", |typed| parse_time(typed, zone), text);
    if !errors.is_empty() {
        return Err(errors);
    }
    let endpoint_id = form.filled("endpoint").map(|id| id.chars().take(MAX_ID_CHARS).collect());
    Ok(DeliveryFilter { endpoint_id, event_type, state, since, until })
}

/// Parses a time: local time as browsers send it, or RFC 3339.
fn parse_time(text: &str, zone: TimeZone) -> Option<Timestamp> {
    let formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%.f"];
    let local = || formats.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok());
    Timestamp::parse(text).or_else(|| zone.first_moment(local()?))
}

/// Returns the query of the page that redelivers all failed deliveries to an endpoint.
pub(super) fn failed_query(endpoint_id: &str) -> String {
    with_state(Form::of([("endpoint", endpoint_id.to_owned())])).query(&FIELDS)
}

#[derive(Template)]
#[template(path = "dashboard/hooks/redeliver.html")]
struct RedeliverPage {
    layout: Layout,
    typed: Form,
    /// Time zone of the times in the filter.
    zone: &'static str,
    /// Filter as the query of an address.
    query: String,
    state: &'static str,
    /// Display name of the endpoint; empty for all endpoints.
    endpoint: String,
    matching: Matching,
    most: u64,
}

/// Shows the confirmation page, with the number of deliveries.
pub(in crate::dashboard) async fn show_redelivery(visit: Visit, query: Form) -> Result {
    let typed = with_state(query);
    let (_, zone) = endpoints(&visit, &typed).await?;
    let filter = parse_filter(&typed, zone)?;
    let endpoint = match &filter.endpoint_id {
        Some(id) => {
            let view = visit.app().find_endpoint(visit.account(), id).await?;
            DisplayedEndpoint::new(&view, &[]).name().to_owned()
        }
        None => String::new(),
    };
    Ok(visit.page(&RedeliverPage {
        layout: visit.layout("Redeliver all that failed", Section::Hooks),
        matching: visit.app().count_redeliverable(visit.account(), &filter).await?,
        query: typed.query(&FIELDS),
        state: STATES.iter().find(|(state, _)| filter.state == Some(*state)).map_or("", |(_, name)| *name),
        endpoint,
        typed,
        zone: zone.name(),
        most: MAX_REDELIVERED,
    }))
}

/// Redelivers them.
pub(in crate::dashboard) async fn redeliver(visit: Visit, form: Form) -> Result {
    let typed = with_state(form);
    let (_, zone) = endpoints(&visit, &typed).await?;
    let count = visit.app().redeliver_matching(visit.account(), &parse_filter(&typed, zone)?).await?;
    // A delivery that arrives no longer has the selected state, so the log shows every state.
    let log = typed.with("state", "").query(&FIELDS);
    Ok(visit.redirect_counting(&format!("{PATH}?{log}"), Notice::RedeliveredAll, count))
}

/// Selects all failed deliveries if no state is given.
fn with_state(form: Form) -> Form {
    if form.text("state").is_empty() { form.with("state", DeliveryState::NotDelivered.as_str()) } else { form }
}
