//! Removal of an endpoint, after a confirmation.

use askama::Template;
use axum::extract::Path;

use super::super::error::Result;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use super::display::DisplayedEndpoint;

#[derive(Template)]
#[template(path = "dashboard/hooks/remove.html")]
struct RemovePage {
    layout: Layout,
    endpoint: DisplayedEndpoint,
    due: u64,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(hook_id): Path<String>) -> Result {
    let view = visit.app().find_endpoint(visit.account(), &hook_id).await?;
    Ok(visit.page(&RemovePage {
        layout: visit.layout("Remove an endpoint", Section::Hooks),
        endpoint: DisplayedEndpoint::new(&view, &[]),
        due: visit.app().count_due(visit.account(), Some(&hook_id)).await?,
    }))
}

/// Removes the endpoint.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(hook_id): Path<String>) -> Result {
    visit.app().remove_endpoint(visit.account(), &hook_id).await?;
    Ok(visit.redirect("/dashboard/hooks", Some(Notice::HookRemoved)))
}
