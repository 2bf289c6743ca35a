//! Reminders about problems, each with a link to the page that fixes it.

use super::super::time::DisplayTime;
use crate::app::{Attention, Subject};

/// Reminder of a problem.
pub(super) struct Reminder {
    pub(super) icon: &'static str,
    pub(super) title: String,
    pub(super) detail: String,
    pub(super) since: DisplayTime,
    /// Path without the link prefix.
    pub(super) path: String,
    /// Label of the link.
    pub(super) action: &'static str,
}

impl From<Attention> for Reminder {
    fn from(attention: Attention) -> Self {
        let (icon, title, detail, path, action) = told(attention.subject);
        Self { icon, title, detail, since: attention.since.into(), path, action }
    }
}

fn told(subject: Subject) -> (&'static str, String, String, String, &'static str) {
    match subject {
        Subject::FailedPost { post_id, topic, reason } => {
            ("circle-x", format!("“{topic}” failed"), reason, format!("/dashboard/pipeline/{post_id}"), "See why")
        }
        Subject::PostToApprove { post_id, topic } => (
            "circle-check",
            format!("“{topic}” waits for your approval"),
            "The article is written and not published yet.".to_owned(),
            format!("/dashboard/pipeline/{post_id}"),
            "Review",
        ),
        Subject::DisabledEndpoint { endpoint_id, url, is_gone } => {
            let why =
                if is_gone { "Its receiver responded with 410 Gone." } else { "All deliveries failed for five days." };
            let detail = format!("{why} Nothing is sent to it until you resume it.");
            ("webhook", format!("The webhook endpoint {url} is disabled"), detail, hook_path(&endpoint_id), "Fix it")
        }
        Subject::FailingEndpoint { endpoint_id, url } => (
            "webhook",
            format!("The webhook endpoint {url} is failing"),
            "The endpoint gets one delivery at a time until one succeeds.".to_owned(),
            hook_path(&endpoint_id),
            "See its deliveries",
        ),
        Subject::ExpiringKey { name, expires_at } => (
            "key-round",
            format!("The key “{name}” expires soon"),
            format!("It is valid until {}.", DisplayTime::from(expires_at).shown),
            "/dashboard/keys".to_owned(),
            "Keys",
        ),
        Subject::StalledWebsite { website_id, name, unfinished } => {
            let waiting = if unfinished == 1 { "One job waits".to_owned() } else { format!("{unfinished} jobs wait") };
            let detail = format!("{waiting} and will fail unless you activate the website.");
            ("globe", format!("{name} is paused"), detail, format!("/dashboard/websites/{website_id}"), "Website")
        }
        Subject::UserWithoutPassword { email } => (
            "user-round",
            format!("{} has no password", email.as_str()),
            "Every sign-in needs a new one-time link.".to_owned(),
            "/dashboard/account/users".to_owned(),
            "Account",
        ),
    }
}

fn hook_path(endpoint_id: &str) -> String {
    format!("/dashboard/hooks/{endpoint_id}")
}
