//! Polls during a wait: deadline, interval, and handling of failures.

use std::time::Duration;

use crate::client::Client;
use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::error_words::excerpt;
use crate::platform::{Instant, after, sleep_until, timeout_at};
use crate::random;

/// Maximum time that a server is asked to hold one response.
const LONGEST_HOLD: Duration = Duration::from_secs(20);

/// Minimum time between two requests, even if the caller sets a shorter one.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(100);

/// Maximum time between two requests that the client chooses itself.
const LONGEST_INTERVAL: Duration = Duration::from_secs(10);

/// Maximum random time that is added to a delay requested by the server.
const LONGEST_JITTER: Duration = Duration::from_secs(10);

/// State of a wait for a job between its requests.
pub(super) struct JobPoller<'a> {
    pub(super) client: &'a Client,
    pub(super) job_id: String,
    deadline: Instant,
    /// Time between two requests, as set by the caller.
    poll_interval: Duration,
    /// Time before the next request: it grows while nothing changes.
    interval: Duration,
    requested_at: Instant,
    /// Time limit of the current request.
    patience: Duration,
    /// Number of responses that the client had received when that request began.
    responses: usize,
    /// True if the server has responded in this wait, even with an error. Later failures may then pass.
    has_responded: bool,
    /// True if the server has answered a call of this wait with a success.
    knows_key: bool,
    /// True if the article is written, and the wait continues until it is published.
    pub(super) has_article: bool,
    /// Error of the last request.
    failure: Option<Error>,
}

impl<'a> JobPoller<'a> {
    /// Makes the poller of a wait that begins now.
    pub(super) fn new(client: &'a Client, job_id: String, deadline: Instant, poll_interval: Duration) -> Self {
        let requested_at = Instant::now();
        let poll_interval = poll_interval.max(SHORTEST_INTERVAL);
        Self {
            client,
            job_id,
            deadline,
            poll_interval,
            interval: poll_interval,
            requested_at,
            patience: Duration::ZERO,
            responses: 0,
            has_responded: false,
            knows_key: false,
            has_article: false,
            failure: None,
        }
    }

    /// Marks the server as reachable and the key as accepted, after it has queued the job.
    pub(super) fn of_known_server(mut self) -> Self {
        (self.has_responded, self.knows_key) = (true, true);
        self
    }

    /// Returns how long the server may hold the next response: less than the limit of a call, and not beyond the deadline.
    pub(super) fn hold(&self) -> Duration {
        let left = self.deadline.saturating_duration_since(Instant::now());
        LONGEST_HOLD.min(self.client.options().total_timeout / 2).min(left)
    }

    /// Sends one request; the server may hold its response for a time. Returns a failure to the caller, who judges it. The wait ends if the
    /// server was never reached, and at the deadline. A request without a response in time does not end the wait.
    pub(super) async fn at<T>(
        &mut self,
        hold: Duration,
        request: impl Future<Output = Result<T, Error>>,
    ) -> Result<Result<T, Error>, Error> {
        self.requested_at = Instant::now();
        self.responses = self.client.inner.usage.responses();
        self.patience = self.client.options().attempt_timeout.saturating_add(hold);
        let Ok(outcome) = timeout_at(self.deadline, request).await else { return Err(self.cut_short()) };
        match &outcome {
            Ok(_) => {
                (self.has_responded, self.knows_key) = (true, true);
                self.failure = None;
            }
            Err(error) => {
                self.has_responded |= error.status().is_some();
                if !self.has_responded && error.kind() != ErrorKind::Timeout {
                    return Err(error.clone());
                }
                self.failure = Some(error.clone());
            }
        }
        Ok(outcome)
    }

    /// Returns true if the server has accepted the key in this wait. A later bare 401 or 403 may then have another reason.
    pub(super) fn knows_key(&self) -> bool {
        self.knows_key
    }

    /// Makes the next pause short again, after the job has changed.
    pub(super) fn poll_soon(&mut self) {
        self.interval = self.poll_interval;
    }

    /// Waits until the next request may be sent: the interval after the last one began, or the time that the server asked for. The interval
    /// grows by half each time. It stays below the time for which a server may hold its response, so it delays no long polling.
    pub(super) async fn pause(&mut self) -> Result<(), Error> {
        let mut next = after(self.requested_at, self.interval);
        let longest = LONGEST_INTERVAL.max(self.poll_interval);
        self.interval = self.interval.saturating_add(self.interval / 2).min(longest);
        if let Some(failure) = &self.failure
            && let Some(asked) = failure.retry_after()
        {
            let is_overloaded = failure.may_pass();
            let asked = if is_overloaded { asked } else { asked.min(self.client.options().max_retry_after) };
            let back = after(Instant::now(), asked);
            if is_overloaded && back >= self.deadline {
                return Err(failure.clone());
            }
            // Adds jitter, so that clients do not all return at the same moment.
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

    /// Returns the error of a wait whose deadline passed during a request.
    fn cut_short(&self) -> Error {
        // The call itself retries a server that responds within it, such as with 429.
        let got_response = self.client.inner.usage.responses() != self.responses;
        // A wait with no time has sent nothing.
        let was_requested = self.requested_at < self.deadline;
        let is_late = was_requested && (!self.has_responded || self.requested_at.elapsed() >= self.patience);
        if is_late && !got_response { self.no_response() } else { self.not_ended() }
    }

    /// Returns the error of a wait whose time is over while the job continues, as far as the server has said.
    fn not_ended(&self) -> Error {
        if self.failure.as_ref().is_some_and(|failure| failure.kind() == ErrorKind::Timeout) {
            return self.no_response();
        }
        let job_id = excerpt(&self.job_id);
        let message = if self.has_article {
            format!("the article of the job {job_id} was written, but not published within the time limit")
        } else {
            format!("the job {job_id} did not end within the time limit")
        };
        self.over(ErrorKind::WaitTimeout, message)
    }

    /// Returns the error of a wait on a server that accepts requests and does not respond.
    fn no_response(&self) -> Error {
        let job_id = excerpt(&self.job_id);
        self.over(
            ErrorKind::Timeout,
            format!("no response from the server about the job {job_id} within the time limit"),
        )
    }

    /// Makes an error whose source is the error of the last request.
    fn over(&self, kind: ErrorKind, message: String) -> Error {
        let source = self.failure.clone();
        Error::new(kind, message).with(|inner| inner.source = source.map(|error| std::sync::Arc::new(error) as _))
    }
}

#[cfg(test)]
mod tests {
    use super::{Client, Duration};

    #[tokio::test(start_paused = true)]
    async fn the_interval_grows_until_the_job_changes() {
        let client = Client::builder().base_url("http://127.0.0.1:1").without_key().build().expect("it is complete");
        let limits = client.wait_for_job("job_1").poll_interval(Duration::ZERO).limits;
        let mut poller = limits.poller(&client, "job_1".to_owned(), limits.deadline());
        let mut intervals = Vec::new();
        for has_changed in [false, false, false, true, false] {
            poller.at(Duration::ZERO, async { Ok(()) }).await.expect("there is time").expect("it succeeds");
            if has_changed {
                poller.poll_soon();
            }
            intervals.push(poller.interval.as_millis());
            poller.pause().await.expect("there is time");
        }
        assert_eq!(intervals, [100, 150, 225, 100, 150]);
        for _ in 0..30 {
            poller.at(Duration::ZERO, async { Ok(()) }).await.expect("there is time").expect("it succeeds");
            poller.pause().await.expect("there is time");
        }
        assert_eq!(poller.interval, super::LONGEST_INTERVAL);
    }
}
