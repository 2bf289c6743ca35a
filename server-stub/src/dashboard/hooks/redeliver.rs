//! Redelivery of all failed deliveries that match a filter, after a confirmation.

use askama::Template;

use super::super::error::Result;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use super::display::DisplayedEndpoint;
use super::filter::{FilterForm, STATES};
use crate::app::{MAX_REDELIVERED, Matching};
use crate::domain::delivery::DeliveryState;

#[derive(Template)]
#[template(path = "dashboard/hooks/redeliver.html")]
struct RedeliverPage {
    layout: Layout,
    typed: FilterForm,
    /// Filter as the query of an address.
    query: String,
    state: &'static str,
    /// Display name of the endpoint; empty for all endpoints.
    endpoint: String,
    matching: Matching,
    most: u64,
}

/// Shows the confirmation page, with the number of deliveries.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let typed = with_state(FilterForm::read(&query));
    let filter = typed.parse()?;
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
        query: typed.query(),
        state: STATES.iter().find(|(state, _)| filter.state == Some(*state)).map_or("", |(_, name)| *name),
        endpoint,
        typed,
        most: MAX_REDELIVERED,
    }))
}

/// Redelivers them.
pub(in crate::dashboard) async fn submit(visit: Visit, form: Form) -> Result {
    let typed = with_state(FilterForm::read(&form));
    let filter = typed.parse()?;
    let count = visit.app().redeliver_matching(visit.account(), &filter).await?;
    // A delivery that arrives no longer has the selected state, so the log shows every state.
    let log = FilterForm { state: String::new(), ..typed }.query();
    Ok(visit.redirect_counting(
        &format!("/dashboard/hooks/deliveries?{log}"),
        Some(Notice::RedeliveredAll),
        Some(count),
    ))
}

/// Selects all failed deliveries if no state is given.
fn with_state(typed: FilterForm) -> FilterForm {
    if typed.state.is_empty() {
        return FilterForm { state: DeliveryState::NotDelivered.as_str().to_owned(), ..typed };
    }
    typed
}
