//! Removing an endpoint, after asking.

use askama::Template;
use axum::extract::Path;

use super::super::error::Result;
use super::super::frame::{Frame, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use super::shown::ShownEndpoint;

#[derive(Template)]
#[template(path = "dashboard/hooks/remove.html")]
struct RemovePage {
    frame: Frame,
    endpoint: ShownEndpoint,
    due: u64,
}

/// Asks whether the endpoint is to be removed.
pub(in crate::dashboard) async fn show(visit: Visit, Path(hook_id): Path<String>) -> Result {
    let view = visit.app().find_endpoint(visit.account(), &hook_id).await?;
    Ok(visit.page(&RemovePage {
        frame: visit.frame("Remove an endpoint", Section::Hooks),
        endpoint: ShownEndpoint::new(&view, &[]),
        due: visit.app().count_due(visit.account(), Some(&hook_id)).await?,
    }))
}

/// Removes it.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(hook_id): Path<String>) -> Result {
    visit.app().remove_endpoint(visit.account(), &hook_id).await?;
    Ok(visit.redirect("/dashboard/hooks", Some(Notice::HookRemoved)))
}
