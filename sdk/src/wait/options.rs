//! How long to wait, how often to look, and whom to tell. What is looked at is decided by `job` and `article`.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::time::Duration;

use super::poller::JobPoller;
use crate::error::Error;
use crate::generated::Client;
use crate::generated::types::Job;
use crate::platform::{Instant, after};

/// A future in a box.
pub(super) type Waiting<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// What is told of a job while it runs.
type Progress<'a> = Box<dyn FnMut(&Job) + Send + 'a>;

/// Something to wait for. Set what differs from the defaults, then `.await` it; dropping it stops the waiting, not the
/// job.
///
/// ```no_run
/// # async fn example(client: contentgen_sdk::Client, stop: impl Future<Output = ()>) -> Result<(), contentgen_sdk::Error> {
/// let wait = client.wait_for_job("job_1").timeout(std::time::Duration::from_secs(600));
/// tokio::select! {
///     job = wait.into_future() => println!("{}", job?.status),
///     // The wait is dropped, and asks no more.
///     () = stop => println!("job_1 goes on without us"),
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is waited for until this is awaited"]
pub struct Wait<'a, T> {
    pub(super) limits: Limits<'a>,
    start: Box<dyn FnOnce(Limits<'a>) -> Waiting<'a, T> + Send + 'a>,
}

/// The settings of a wait.
pub(super) struct Limits<'a> {
    timeout: Duration,
    poll_interval: Duration,
    progress: Option<Progress<'a>>,
    last_told: Option<(String, Option<u32>)>,
}

impl<'a, T> Wait<'a, T> {
    /// A wait with the default settings.
    pub(super) fn new(start: impl FnOnce(Limits<'a>) -> Waiting<'a, T> + Send + 'a) -> Self {
        let limits = Limits {
            timeout: Duration::from_secs(15 * 60),
            poll_interval: Duration::from_secs(1),
            progress: None,
            last_told: None,
        };
        Self { limits, start: Box::new(start) }
    }

    /// How long to wait; 15 minutes unless set. Then the wait ends with an error of the kind
    /// [`WaitTimeout`](crate::ErrorKind::WaitTimeout), or [`Timeout`](crate::ErrorKind::Timeout) where the server does not answer any more;
    /// [`is_timeout`](Error::is_timeout) is true for both. The job goes on, and can be waited for again. Single looks have the limits of the
    /// client's options, and a look that takes too long does not end the wait.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = timeout;
        self
    }

    /// The shortest time between two looks at a server that answers at once; 1 s unless set. A server that holds its
    /// response until the job changes is asked to.
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.limits.poll_interval = interval;
        self
    }

    /// Called with the job when it is first seen and whenever its status or progress has changed. Not called on a
    /// server that has no operation to read jobs.
    pub fn on_progress(mut self, tell: impl FnMut(&Job) + Send + 'a) -> Self {
        self.limits.progress = Some(Box::new(tell));
        self
    }
}

impl Limits<'_> {
    /// When to give up, counted from now.
    pub(super) fn deadline(&self) -> Instant {
        after(Instant::now(), self.timeout)
    }

    /// The looks of this wait.
    pub(super) fn poller<'c>(&self, client: &'c Client, job_id: String, deadline: Instant) -> JobPoller<'c> {
        JobPoller::new(client, job_id, deadline, self.poll_interval)
    }

    /// Tells of a job, if something about it is new.
    pub(super) fn tell(&mut self, job: &Job) {
        let Some(tell) = &mut self.progress else {
            return;
        };
        let state = (job.status.as_str().to_owned(), job.progress);
        if self.last_told.as_ref() != Some(&state) {
            tell(job);
            self.last_told = Some(state);
        }
    }
}

impl<'a, T> IntoFuture for Wait<'a, T> {
    type Output = Result<T, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        (self.start)(self.limits)
    }
}

impl<T> fmt::Debug for Wait<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Wait")
            .field("timeout", &self.limits.timeout)
            .field("poll_interval", &self.limits.poll_interval)
            .finish_non_exhaustive()
    }
}
