//! The looks that a wait takes: until when, how often, and what becomes of those that fail.

use std::time::Duration;

use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::error_words::excerpt;
use crate::generated::Client;
use crate::platform::{Instant, after, sleep_until, timeout_at};
use crate::random;

/// How long a server is asked to hold one response.
const LONGEST_HOLD: Duration = Duration::from_secs(20);

/// The longest time that is added, at random, to a pause that the server asks for.
const LONGEST_JITTER: Duration = Duration::from_secs(10);

/// A wait for a job, from one look to the next.
pub(super) struct JobPoller<'a> {
    pub(super) client: &'a Client,
    pub(super) job_id: String,
    deadline: Instant,
    poll_interval: Duration,
    asked_at: Instant,
    /// How long the server may take for the look that is on its way.
    patience: Duration,
    /// How many responses the client had had when that look began.
    responses: usize,
    /// Whether the server has answered in this wait, if only with an error: what fails then may pass.
    is_there: bool,
    /// Whether it has answered a call of this wait with a success.
    knows_key: bool,
    /// What the last look failed with.
    failure: Option<Error>,
}

impl<'a> JobPoller<'a> {
    /// The looks of a wait that begins now.
    pub(super) fn new(client: &'a Client, job_id: String, deadline: Instant, poll_interval: Duration) -> Self {
        let asked_at = Instant::now();
        Self {
            client,
            job_id,
            deadline,
            poll_interval,
            asked_at,
            patience: Duration::ZERO,
            responses: 0,
            is_there: false,
            knows_key: false,
            failure: None,
        }
    }

    /// The same for a server that has just queued the job.
    pub(super) fn of_known_server(mut self) -> Self {
        (self.is_there, self.knows_key) = (true, true);
        self
    }

    /// How long the server may be asked to hold the next response: less than a call may take, and not beyond the deadline.
    pub(super) fn hold(&self) -> Duration {
        let left = self.deadline.saturating_duration_since(Instant::now());
        LONGEST_HOLD.min(self.client.options().total_timeout / 2).min(left)
    }

    /// Looks once; the server may hold its response for a time. What failed is handed back to be judged. The wait is over where the server
    /// was never reached, and at the deadline. A look that is not answered in time is no reason to give up: the wait outlives it.
    pub(super) async fn at<T>(
        &mut self,
        hold: Duration,
        request: impl Future<Output = Result<T, Error>>,
    ) -> Result<Result<T, Error>, Error> {
        self.asked_at = Instant::now();
        self.responses = self.client.inner.shared.responses();
        self.patience = self.client.options().attempt_timeout.saturating_add(hold);
        let Ok(outcome) = timeout_at(self.deadline, request).await else { return Err(self.cut_short()) };
        match &outcome {
            Ok(_) => {
                (self.is_there, self.knows_key) = (true, true);
                self.failure = None;
            }
            Err(error) => {
                self.is_there |= error.status().is_some();
                if !self.is_there && error.kind() != ErrorKind::Timeout {
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
            let asked = if is_overloaded { asked } else { asked.min(self.client.options().max_retry_after) };
            let back = after(Instant::now(), asked);
            if is_overloaded && back >= self.deadline {
                return Err(failure.clone());
            }
            // Not all who wait for a moment come back in the same one.
            let jittered = back + self.poll_interval.min(LONGEST_JITTER).mul_f64(random::fraction());
            next = next.max(if jittered < self.deadline { jittered } else { back });
        }
        if next >= self.deadline {
            sleep_until(self.deadline).await;
            return Err(self.not_ended());
        }
        sleep_until(next).await;
        Ok(())
    }

    /// The end of a wait whose time was over while a look was on its way.
    fn cut_short(&self) -> Error {
        // A server that answers within the call, such as with 429, is repeated there.
        let has_answered = self.client.inner.shared.responses() != self.responses;
        // A wait that was given no time has asked nobody.
        let was_asked = self.asked_at < self.deadline;
        let is_late = was_asked && (!self.is_there || self.asked_at.elapsed() >= self.patience);
        if is_late && !has_answered { self.not_answered() } else { self.not_ended() }
    }

    /// The end of a wait whose time is over: the job goes on, as far as the server has said.
    fn not_ended(&self) -> Error {
        if self.failure.as_ref().is_some_and(|failure| failure.kind() == ErrorKind::Timeout) {
            return self.not_answered();
        }
        let job_id = excerpt(&self.job_id);
        self.over(ErrorKind::WaitTimeout, format!("the job {job_id} did not end within the time limit"))
    }

    /// The end of a wait on a server that takes requests and does not answer them.
    fn not_answered(&self) -> Error {
        let job_id = excerpt(&self.job_id);
        self.over(
            ErrorKind::Timeout,
            format!("no response from the server about the job {job_id} within the time limit"),
        )
    }

    /// An error that names what the last look failed with.
    fn over(&self, kind: ErrorKind, mut message: String) -> Error {
        if let Some(failure) = &self.failure {
            message = format!("{message}; the last request failed: {failure}");
        }
        let source = self.failure.clone();
        Error::new(kind, message).with(|inner| inner.source = source.map(|error| std::sync::Arc::new(error) as _))
    }
}
