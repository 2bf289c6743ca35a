//! Cancellation of a scheduled post, after a confirmation.

use askama::Template;
use axum::extract::Path;

use super::super::error::{Failure, Result};
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use super::entry::{title, to_entry};
use crate::app::PipelineEntry;
use crate::domain::post::PostStatus;

#[derive(Template)]
#[template(path = "dashboard/pipeline/cancel.html")]
struct CancelPage {
    layout: Layout,
    entry: PipelineEntry,
    title: String,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(post_id): Path<String>) -> Result {
    let entry = visit.app().pipeline_entry(&visit.scope(), &post_id).await?;
    if matches!(entry.post.status, PostStatus::Publishing | PostStatus::Published | PostStatus::Cancelled) {
        let text = "An article that is published, being published or cancelled cannot be cancelled.";
        return Err(Failure::Refused(text.to_owned()));
    }
    let title = title(&entry);
    Ok(visit.page(&CancelPage { layout: visit.layout("Cancel an article", Section::Pipeline), entry, title }))
}

/// Cancels the post.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(post_id): Path<String>) -> Result {
    visit.app().cancel_post(&visit.scope(), &post_id).await?;
    Ok(to_entry(&visit, &post_id, Notice::PostCancelled))
}
