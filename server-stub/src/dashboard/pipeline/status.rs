//! States and failures of the pipeline in plain words.

use crate::domain::job::Failure;
use crate::domain::post::PostStatus;

/// What people call the state.
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

/// The class of its badge.
pub(in crate::dashboard) const fn status_badge(status: PostStatus) -> &'static str {
    match status {
        PostStatus::Published => "good",
        PostStatus::Failed => "bad",
        PostStatus::Ready => "warn",
        PostStatus::Generating | PostStatus::Scheduled | PostStatus::Publishing => "info",
        PostStatus::Queued | PostStatus::Cancelled => "muted",
    }
}

/// Whether it may change without anybody doing something here.
pub(super) const fn can_move(status: PostStatus) -> bool {
    matches!(status, PostStatus::Queued | PostStatus::Generating | PostStatus::Scheduled | PostStatus::Publishing)
}

/// What to do about a failure.
pub(super) fn advice(failure: &Failure) -> &'static str {
    match failure.code.as_str() {
        "publish_failed" => "Check that the website can be reached, then try again. The article is kept.",
        "publish_rejected" => "Find out why the website refuses it before you try again. The article is kept.",
        "generator_unavailable" | "generation_timeout" => "The writer was busy or away. Try again in some minutes.",
        "content_rejected" => "Trying again is of little use: queue an article with another topic.",
        "voice_unsatisfiable" => {
            "The topic cannot be told under the rules of the Brand DNA profile. Change the topic or the profile."
        }
        "language_not_supported" => {
            "The writer does not write this language. Queue the article in one of those that the message names."
        }
        "website_inactive" => "Activate the website, then try again.",
        _ if failure.retryable => "Try again. If it fails once more, tell whoever runs the server.",
        _ => "Tell whoever runs the server: the log says more.",
    }
}
