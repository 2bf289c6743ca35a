//! What is said when nothing comes: whoever waits is told for what, instead of waiting for ever in silence.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep_until};

use crate::output::Screen;

/// A reminder, which is due once for each time that nothing comes.
pub(super) struct Reminder {
    after: Duration,
    due: Option<Instant>,
}

impl Reminder {
    /// A reminder after a time of silence that begins now.
    pub(super) fn new(after: Duration) -> Self {
        Self { after, due: Some(Instant::now() + after) }
    }

    /// Something has come: the silence begins anew.
    pub(super) fn start_again(&mut self) {
        self.due = Some(Instant::now() + self.after);
    }

    /// Ends when it is time to tell; never once that was done.
    pub(super) async fn due(&self) {
        match self.due {
            Some(due) => sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    /// Tells where hooks are waited for, and how many are still missing if that was said.
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
