//! Reminder while no hooks arrive, so that the user does not wait without any message.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep_until};

use crate::output::Screen;

/// A reminder that is due once per period without hooks.
pub(super) struct Reminder {
    after: Duration,
    due: Option<Instant>,
}

impl Reminder {
    /// Makes a reminder for a period that begins now.
    pub(super) fn new(after: Duration) -> Self {
        Self { after, due: Some(Instant::now() + after) }
    }

    /// Starts a new period after a hook.
    pub(super) fn start_again(&mut self) {
        self.due = Some(Instant::now() + self.after);
    }

    /// Completes when the reminder is due. Never completes after it was printed.
    pub(super) async fn due(&self) {
        match self.due {
            Some(due) => sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    /// Prints the URL that waits for hooks, and the number of missing hooks if there is one.
    pub(super) fn tell(&mut self, url: &str, missing: Option<u64>, screen: Screen) {
        self.due = None;
        let seconds = self.after.as_secs();
        let what = missing.map_or_else(|| "webhooks".to_owned(), |missing| format!("{missing} more"));
        let words = format!(
            "no webhook in {seconds} s: waiting for {what} at {url}. The server sends webhooks when an article is \
             published or a lead is captured, if an endpoint with this address is registered there \
             (`contentgen-server hook create --url {url}/hooks`)"
        );
        screen.note(&words, "waiting", &json!({ "seconds": seconds, "missing": missing, "url": url }));
    }
}
