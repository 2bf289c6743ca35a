//! Endpoints: the list, and one endpoint with its state and the actions on it.

use std::time::Duration;

use askama::Template;
use axum::extract::Path;

use super::super::{Failure, Form, Layout, Notice, Result, Section, Visit};
use super::display::{DisplayedDelivery, DisplayedEndpoint};
use crate::app::MAX_RECOVERY;
use crate::domain::hook::MAX_ENDPOINTS;
use crate::domain::search::Search;
use crate::domain::store::DeliveryFilter;
use crate::domain::unicode_form::composed;

/// Number of recent deliveries on the page.
const NEWEST: usize = 5;
/// Periods for recovering missed events, in hours.
const RECOVERIES: [(u64, &str); 6] =
    [(1, "1 hour"), (6, "6 hours"), (24, "24 hours"), (72, "3 days"), (168, "7 days"), (336, "14 days")];

#[derive(Template)]
#[template(path = "dashboard/hooks/list.html")]
struct ListPage<'a> {
    layout: Layout,
    search: &'a str,
    has_endpoints: bool,
    is_full: bool,
    endpoints: Vec<DisplayedEndpoint>,
}

/// Shows the page. An account has few endpoints, so the list is not paginated.
pub(in crate::dashboard) async fn show_all(visit: Visit, query: Form) -> Result {
    let search = query.text("search");
    let websites = visit.app().websites(visit.account()).await?;
    let all = visit.app().list_endpoints(visit.account()).await?;
    let wanted = Search::parse(search);
    let is_wanted = |endpoint: &DisplayedEndpoint| {
        let texts = [endpoint.url.as_str(), &endpoint.description, &endpoint.id];
        let found =
            |text: &str| wanted.as_ref().is_none_or(|wanted| composed(text).to_lowercase().contains(wanted.as_str()));
        texts.into_iter().any(found)
    };
    let endpoints = all.iter().map(|view| DisplayedEndpoint::new(view, &websites)).filter(is_wanted).collect();
    Ok(visit.page(&ListPage {
        layout: visit.layout("Hooks", Section::Hooks),
        search,
        has_endpoints: !all.is_empty(),
        is_full: all.len() >= MAX_ENDPOINTS,
        endpoints,
    }))
}

#[derive(Template)]
#[template(path = "dashboard/hooks/endpoint.html")]
struct EndpointPage {
    layout: Layout,
    endpoint: DisplayedEndpoint,
    due: u64,
    newest: Vec<DisplayedDelivery>,
    recoveries: Vec<(u64, &'static str)>,
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(hook_id): Path<String>) -> Result {
    let view = visit.app().find_endpoint(visit.account(), &hook_id).await?;
    let websites = visit.app().websites(visit.account()).await?;
    let endpoint = DisplayedEndpoint::new(&view, &websites);
    let filter = DeliveryFilter { endpoint_id: Some(hook_id.clone()), ..DeliveryFilter::default() };
    let newest = visit.app().find_deliveries(visit.account(), &filter, None).await?.items;
    let shown = std::slice::from_ref(&endpoint);
    Ok(visit.page(&EndpointPage {
        layout: visit.layout(endpoint.name(), Section::Hooks),
        due: visit.app().count_due(visit.account(), Some(&hook_id)).await?,
        newest: newest.iter().take(NEWEST).map(|delivery| DisplayedDelivery::new(delivery, shown)).collect(),
        endpoint,
        recoveries: RECOVERIES.into(),
    }))
}

/// Pauses or resumes the endpoint.
pub(in crate::dashboard) async fn set_status(visit: Visit, Path(hook_id): Path<String>, form: Form) -> Result {
    visit.app().find_endpoint(visit.account(), &hook_id).await?;
    let notice = match form.text("status") {
        "paused" => {
            visit.app().pause_endpoint(visit.account(), &hook_id).await?;
            Notice::HookPaused
        }
        "active" => {
            visit.app().resume_endpoint(visit.account(), &hook_id).await?;
            Notice::HookResumed
        }
        _ => return Err(Failure::Refused("An endpoint can be paused or resumed.".to_owned())),
    };
    Ok(visit.redirect(&format!("/dashboard/hooks/{hook_id}"), notice))
}

/// Sends a test, and redirects to its delivery.
pub(in crate::dashboard) async fn send_test(visit: Visit, Path(hook_id): Path<String>) -> Result {
    let delivery_id = visit.app().send_test(visit.account(), &hook_id).await?;
    Ok(visit.redirect(&format!("/dashboard/hooks/deliveries/{delivery_id}"), Notice::HookTested))
}

/// Sends the events that the endpoint missed.
pub(in crate::dashboard) async fn recover(visit: Visit, Path(hook_id): Path<String>, form: Form) -> Result {
    visit.app().find_endpoint(visit.account(), &hook_id).await?;
    let hours = form.text("hours").parse().ok().filter(|hours| RECOVERIES.iter().any(|(one, _)| one == hours));
    let hours: u64 = hours.ok_or_else(|| {
        Failure::Refused("Choose one of the periods: at most the last 14 days can be recovered.".to_owned())
    })?;
    // Stays one minute inside the limit, because time passes until it is checked.
    let back = Duration::from_hours(hours).min(MAX_RECOVERY.saturating_sub(Duration::from_mins(1)));
    let since = visit.app().clock().wall().minus(back);
    let recovered = visit.app().recover(visit.account(), &hook_id, since).await?;
    let path = format!("/dashboard/hooks/deliveries?endpoint={hook_id}");
    Ok(visit.redirect_counting(&path, Notice::HookRecovered, recovered))
}

#[derive(Template)]
#[template(path = "dashboard/hooks/remove.html")]
struct RemovePage {
    layout: Layout,
    endpoint: DisplayedEndpoint,
    due: u64,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show_removal(visit: Visit, Path(hook_id): Path<String>) -> Result {
    let view = visit.app().find_endpoint(visit.account(), &hook_id).await?;
    Ok(visit.page(&RemovePage {
        layout: visit.layout("Remove an endpoint", Section::Hooks),
        endpoint: DisplayedEndpoint::new(&view, &[]),
        due: visit.app().count_due(visit.account(), Some(&hook_id)).await?,
    }))
}

/// Removes the endpoint.
pub(in crate::dashboard) async fn remove(visit: Visit, Path(hook_id): Path<String>) -> Result {
    visit.app().remove_endpoint(visit.account(), &hook_id).await?;
    Ok(visit.redirect("/dashboard/hooks", Notice::HookRemoved))
}
