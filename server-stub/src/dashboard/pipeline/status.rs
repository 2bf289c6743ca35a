//! States and failures of scheduled posts in plain words.

use crate::domain::job::Failure;
use crate::domain::post::PostStatus;

/// Returns the label of the state.
pub(in crate::dashboard) const fn status_name(status: PostStatus) -> &'static str {
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
pub(in crate::dashboard) const fn status_badge(status: PostStatus) -> &'static str {
    match status {
        PostStatus::Published => "good",
        PostStatus::Failed => "bad",
        PostStatus::Ready => "warn",
        PostStatus::Generating | PostStatus::Scheduled | PostStatus::Publishing => "info",
        PostStatus::Queued | PostStatus::Cancelled => "muted",
    }
}

/// Returns true if the state may change without an action by a user.
pub(super) const fn can_move(status: PostStatus) -> bool {
    matches!(status, PostStatus::Queued | PostStatus::Generating | PostStatus::Scheduled | PostStatus::Publishing)
}

/// Returns advice on fixing a failure.
pub(super) fn advice(failure: &Failure) -> &'static str {
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
