//! One scheduled post: its facts, and the actions on it.

use askama::Template;
use axum::extract::Path;
use axum::response::Response;

use super::super::{DisplayTime, Failure, FieldErrors, Form, Layout, Notice, Result, Section, Visit, sentence};
use crate::app::{PipelineEntry, PipelineError, PublishTime};
use crate::domain::account::WebsiteStatus;
use crate::domain::article::ArticleStatus;
use crate::domain::clock::Timestamp;
use crate::domain::failure;
use crate::domain::job::MAX_ATTEMPTS;
use crate::domain::late_post::LATE_AFTER;
use crate::domain::post::{MAX_PUBLISH_ATTEMPTS, PostStatus};
use crate::domain::time_zone::TimeZone;

/// Maximum number of characters in a heading.
const MAX_TITLE_CHARS: usize = 110;

#[derive(Template)]
#[template(path = "dashboard/pipeline/entry.html")]
struct EntryPage {
    layout: Layout,
    entry: PipelineEntry,
    status: &'static str,
    badge: &'static str,
    /// Seconds until the page refreshes itself; `None` if the state cannot change.
    refresh: Option<u32>,
    advice: &'static str,
    zone: TimeZone,
    now: DisplayTime,
    /// True if the post is overdue: it waits behind other late posts of its website, or for the website to become active.
    is_late: bool,
    /// Content of the field for date and time.
    publish_at: String,
    errors: FieldErrors,
}

impl EntryPage {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "a template hands over references")]
    fn time(&self, time: &Timestamp) -> DisplayTime {
        DisplayTime::in_zone(*time, self.zone)
    }

    /// Returns true if the article was archived, so that it cannot be published.
    fn is_archived(&self) -> bool {
        self.entry.article.as_ref().is_some_and(|article| article.status == ArticleStatus::Archived)
    }
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(post_id): Path<String>) -> Result {
    let entry = visit.app().pipeline_entry(&visit.visibility(), &post_id).await?;
    Ok(visit.page(&page(&visit, entry, None, FieldErrors::default())))
}

/// Approves the post, or changes its time.
pub(in crate::dashboard) async fn schedule(visit: Visit, Path(post_id): Path<String>, form: Form) -> Result {
    let entry = visit.app().pipeline_entry(&visit.visibility(), &post_id).await?;
    let typed = form.text("publish_at");
    let (app, visibility) = (visit.app(), visit.visibility());
    let (changed, notice) = match form.text("when") {
        "now" => (app.schedule_post(&visibility, &post_id, PublishTime::Now).await, Notice::PostPublishing),
        "slot" => (app.schedule_post_in_slot(&visibility, &post_id).await, Notice::PostScheduled),
        _ => (app.schedule_post(&visibility, &post_id, PublishTime::At(typed)).await, Notice::PostScheduled),
    };
    match changed {
        Ok(_) => Ok(to_entry(&visit, &post_id, notice)),
        Err(PipelineError::Time(error)) => {
            let errors = FieldErrors::one("publish_at", &error.to_string());
            Ok(visit.form_again(&page(&visit, entry, Some(typed), errors)))
        }
        Err(error) => Err(error.into()),
    }
}

/// Removes the planned time.
pub(in crate::dashboard) async fn unschedule(visit: Visit, Path(post_id): Path<String>) -> Result {
    visit.app().unschedule_post(&visit.visibility(), &post_id).await?;
    Ok(to_entry(&visit, &post_id, Notice::PostUnscheduled))
}

/// Retries a failed post.
pub(in crate::dashboard) async fn retry(visit: Visit, Path(post_id): Path<String>) -> Result {
    visit.app().retry_post(&visit.visibility(), &post_id).await.map_err(|error| match error {
        PipelineError::Request(crate::app::Error::WebsiteInactive) => Failure::Refused(
            "The website is paused or archived, so no articles are written for it. Activate it, then try again."
                .to_owned(),
        ),
        PipelineError::Request(crate::app::Error::QueueFull) => Failure::Refused(
            "The queue is full: too many articles wait to be written. Try again when some are finished, or cancel some.".to_owned(),
        ),
        other => other.into(),
    })?;
    Ok(to_entry(&visit, &post_id, Notice::PostRetried))
}

/// Redirects to the post's page.
pub(super) fn to_entry(visit: &Visit, post_id: &str, notice: Notice) -> Response {
    visit.redirect(&format!("/dashboard/pipeline/{post_id}"), notice)
}

/// Returns the heading: the beginning of the article's title or of the topic.
fn title(entry: &PipelineEntry) -> String {
    let whole = entry.article.as_ref().map_or(&entry.post.topic, |article| &article.content.title);
    let mut title: String = whole.chars().take(MAX_TITLE_CHARS).collect();
    if title.len() < whole.len() {
        title.push('…');
    }
    title
}

fn page(visit: &Visit, entry: PipelineEntry, typed: Option<&str>, errors: FieldErrors) -> EntryPage {
    let zone = TimeZone::or_utc(&entry.website.time_zone);
    let status = entry.post.status;
    let refresh = match status {
        _ if !errors.is_empty() || !can_move(status) => None,
        PostStatus::Scheduled => Some(10),
        _ => Some(3),
    };
    let planned = entry.post.publish_at.map(|time| zone.to_local(time)).unwrap_or_default();
    let now = visit.app().clock().wall();
    let is_late = entry.post.publish_at.is_some_and(|time| time <= now.minus(LATE_AFTER));
    EntryPage {
        layout: visit.layout(title(&entry), Section::Pipeline),
        status: status_name(status),
        badge: status_badge(status),
        refresh,
        advice: entry.post.error.as_ref().map_or("", advice),
        zone,
        now: DisplayTime::in_zone(now, zone),
        is_late,
        publish_at: typed.map_or(planned, str::to_owned),
        entry,
        errors,
    }
}

#[derive(Template)]
#[template(path = "dashboard/pipeline/cancel.html")]
struct CancelPage {
    layout: Layout,
    entry: PipelineEntry,
    title: String,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show_cancellation(visit: Visit, Path(post_id): Path<String>) -> Result {
    let entry = visit.app().pipeline_entry(&visit.visibility(), &post_id).await?;
    if matches!(entry.post.status, PostStatus::Publishing | PostStatus::Published | PostStatus::Cancelled) {
        let text = "An article that is published, being published or cancelled cannot be cancelled.";
        return Err(Failure::Refused(text.to_owned()));
    }
    let title = title(&entry);
    Ok(visit.page(&CancelPage { layout: visit.layout("Cancel an article", Section::Pipeline), entry, title }))
}

/// Cancels the post.
pub(in crate::dashboard) async fn cancel(visit: Visit, Path(post_id): Path<String>) -> Result {
    visit.app().cancel_post(&visit.visibility(), &post_id).await?;
    Ok(to_entry(&visit, &post_id, Notice::PostCancelled))
}

/// Returns the label of the state.
const fn status_name(status: PostStatus) -> &'static str {
    match status {
        PostStatus::Queued => "Queued",
        PostStatus::Generating => "Writing",
        PostStatus::Ready => "Waits for approval",
        PostStatus::Scheduled => "Scheduled",
        PostStatus::Publishing => "Publishing",
        PostStatus::Published => "Published",
        PostStatus::Failed => "Failed",
        PostStatus::Cancelled => "Cancelled",
    }
}

/// Returns the CSS class of the state's badge.
const fn status_badge(status: PostStatus) -> &'static str {
    match status {
        PostStatus::Published => "good",
        PostStatus::Failed => "bad",
        PostStatus::Ready => "warn",
        PostStatus::Generating | PostStatus::Scheduled | PostStatus::Publishing => "info",
        PostStatus::Queued | PostStatus::Cancelled => "muted",
    }
}

/// Returns true if the state may change without an action by a user.
const fn can_move(status: PostStatus) -> bool {
    matches!(status, PostStatus::Queued | PostStatus::Generating | PostStatus::Scheduled | PostStatus::Publishing)
}

/// Returns advice on fixing a failure.
fn advice(failure: &failure::Failure) -> &'static str {
    match failure.code.as_str() {
        "publish_failed" => "Check that the destination can be reached, then try again. The article is kept.",
        "publish_rejected" => "Find out why the destination refuses it, then try again. The article is kept.",
        "generator_unavailable" | "generation_timeout" => {
            "The writer was busy or unavailable. Try again in a few minutes."
        }
        "content_rejected" => "Trying again will not help. Queue an article with another topic.",
        "voice_unsatisfiable" => {
            "No article about this topic can keep the rules of the Brand DNA profile. Change the topic or the profile."
        }
        "language_not_supported" => {
            "The writer does not support this language. Queue the article in one of the languages in the message."
        }
        "website_inactive" => "Activate the website, then try again.",
        _ if failure.retryable => "Try again. If it fails again, contact the operator of the server.",
        _ => "Contact the operator of the server: its log says more.",
    }
}
