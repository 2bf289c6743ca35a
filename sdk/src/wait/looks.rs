//! The looks that a wait takes: until when, how often, and what becomes of those that fail.

use std::time::Duration;

use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::error_words::excerpt;
use crate::generated::Client;
use crate::platform::{Instant, after, sleep_until, timeout_at};

/// How long a server is asked to hold one answer.
const LONGEST_HOLD: Duration = Duration::from_secs(20);

/// A wait for a job, from one look to the next.
pub(super) struct Looks<'a> {
    pub(super) client: &'a Client,
    pub(super) job_id: String,
    deadline: Instant,
    poll_interval: Duration,
    asked_at: Instant,
    /// Whether the server has answered in this wait, if only with an error: what fails then may pass.
    is_there: bool,
    /// Whether it has answered a call of this wait with a success.
    knows_key: bool,
    /// What the last look failed with.
    failure: Option<Error>,
}

impl<'a> Looks<'a> {
    /// The looks of a wait that begins now.
    pub(super) fn new(client: &'a Client, job_id: String, deadline: Instant, poll_interval: Duration) -> Self {
        let asked_at = Instant::now();
        Self { client, job_id, deadline, poll_interval, asked_at, is_there: false, knows_key: false, failure: None }
    }

    /// The same for a server that has just queued the job.
    pub(super) fn of_known_server(mut self) -> Self {
        (self.is_there, self.knows_key) = (true, true);
        self
    }

    /// How long the server may be asked to hold the next answer: less than a call may take, and not beyond the deadline.
    pub(super) fn hold(&self) -> Duration {
        let left = self.deadline.saturating_duration_since(Instant::now());
        LONGEST_HOLD.min(self.client.options().total_timeout / 2).min(left)
    }

    /// Looks once. What failed is handed back to be judged; the wait is over where the server was never reached, and at the
    /// deadline.
    pub(super) async fn at<T>(
        &mut self,
        request: impl Future<Output = Result<T, Error>>,
    ) -> Result<Result<T, Error>, Error> {
        self.asked_at = Instant::now();
        let Ok(outcome) = timeout_at(self.deadline, request).await else { return Err(self.not_ended()) };
        match &outcome {
            Ok(_) => {
                (self.is_there, self.knows_key) = (true, true);
                self.failure = None;
            }
            Err(error) => {
                self.is_there |= error.status().is_some();
                if !self.is_there {
                    return Err(error.clone());
                }
                self.failure = Some(error.clone());
            }
        }
        Ok(outcome)
    }

    /// Whether the server has accepted the key in this wait: by a bare 401 or 403 it may then mean something else.
    pub(super) fn knows_key(&self) -> bool {
        self.knows_key
    }

    /// Waits until the next look may be taken: some time after this one began, or when the server asked to come back.
    pub(super) async fn pause(&self) -> Result<(), Error> {
        let mut next = after(self.asked_at, self.poll_interval);
        if let Some(failure) = &self.failure
            && let Some(asked) = failure.retry_after()
        {
            let is_overloaded = failure.is_retryable();
            let asked = if is_overloaded { asked } else { asked.min(self.client.options().longest_retry_after) };
            let back = after(Instant::now(), asked);
            if is_overloaded && back >= self.deadline {
                return Err(failure.clone());
            }
            next = next.max(back);
        }
        if next >= self.deadline {
            sleep_until(self.deadline).await;
            return Err(self.not_ended());
        }
        sleep_until(next).await;
        Ok(())
    }

    /// The end of a wait that took too long.
    fn not_ended(&self) -> Error {
        let mut message =
            format!("the job {} had not ended when the time to wait for it was over", excerpt(&self.job_id));
        if let Some(failure) = &self.failure {
            message = format!("{message}; the last look failed: {failure}");
        }
        let source = self.failure.clone();
        Error::new(ErrorKind::Timeout, message)
            .with(|inner| inner.source = source.map(|error| std::sync::Arc::new(error) as _))
    }
}
