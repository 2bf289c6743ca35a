//! Cancelling an entry of the pipeline. It asks first.

use askama::Template;
use axum::extract::Path;

use super::super::error::{Failure, Result};
use super::super::frame::{Frame, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use super::entry::{title, to_entry};
use crate::app::PipelineEntry;
use crate::domain::post::PostStatus;

#[derive(Template)]
#[template(path = "dashboard/pipeline/cancel.html")]
struct CancelPage {
    frame: Frame,
    entry: PipelineEntry,
    title: String,
}

/// Asks whether it is to be cancelled.
pub(in crate::dashboard) async fn show(visit: Visit, Path(post_id): Path<String>) -> Result {
    let entry = visit.app().pipeline_entry(&visit.scope(), &post_id).await?;
    let can_be_cancelled = matches!(
        entry.post.status,
        PostStatus::Queued | PostStatus::Generating | PostStatus::Ready | PostStatus::Scheduled
    );
    if !can_be_cancelled {
        let text = "Only what is queued, being written, waiting for approval or scheduled can be cancelled.";
        return Err(Failure::Refused(text.to_owned()));
    }
    let title = title(&entry);
    Ok(visit.page(&CancelPage { frame: visit.frame("Cancel an article", Section::Pipeline), entry, title }))
}

/// Cancels it.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(post_id): Path<String>) -> Result {
    visit.app().cancel_post(&visit.scope(), &post_id).await?;
    Ok(to_entry(&visit, &post_id, Notice::PostCancelled))
}
