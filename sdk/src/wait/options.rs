//! Options of a wait: time limit, poll interval, and progress callback. `job` and `article` decide what is polled.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use super::poller::JobPoller;
use crate::client::Client;
use crate::error::Error;
use crate::generated::types::{Article, Job};
use crate::platform::{Instant, after};
use crate::response::Response;

/// A future in a box.
pub(super) type Waiting<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// Function that starts a wait.
type Start<'a, T> = Box<dyn FnOnce(Client, Limits<'a>) -> Waiting<'a, T> + Send + 'a>;

/// Callback for the progress of a job.
type Progress<'a> = Box<dyn FnMut(&Job) + Send + 'a>;

/// A wait. Change the settings that differ from the defaults, then `.await` it; with a blocking client, call `wait`. Dropping it stops the
/// waiting, not the job.
///
/// ```no_run
/// # async fn example(client: contentgen_sdk::Client, stop: impl Future<Output = ()>) -> Result<(), contentgen_sdk::Error> {
/// let wait = client.wait_for_job("job_1").timeout(std::time::Duration::from_secs(600));
/// tokio::select! {
///     job = wait.into_future() => println!("{}", job?.status),
///     // The wait is dropped, and asks no more.
///     () = stop => println!("job_1 continues"),
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is waited for until this is awaited"]
pub struct Wait<'a, T, C = Client> {
    client: C,
    pub(super) limits: Limits<'a>,
    start: Start<'a, T>,
}

/// The settings of a wait.
pub(super) struct Limits<'a> {
    timeout: Duration,
    poll_interval: Duration,
    /// True if the wait for an article continues until the article is published.
    pub(super) until_published: bool,
    progress: Option<Progress<'a>>,
    last_reported: Option<(String, Option<u32>)>,
}

impl<'a, T, C> Wait<'a, T, C> {
    /// Makes a wait with the default settings.
    pub(super) fn new(client: C, start: impl FnOnce(Client, Limits<'a>) -> Waiting<'a, T> + Send + 'a) -> Self {
        let limits = Limits {
            timeout: Duration::from_secs(15 * 60),
            poll_interval: Duration::from_secs(1),
            until_published: false,
            progress: None,
            last_reported: None,
        };
        Self { client, limits, start: Box::new(start) }
    }

    /// Time limit of the wait; 15 minutes unless set. Then the wait ends with an error of the kind
    /// [`WaitTimeout`](crate::ErrorKind::WaitTimeout), or [`Timeout`](crate::ErrorKind::Timeout) if the server stopped responding;
    /// [`is_timeout`](Error::is_timeout) is true for both. The job continues, and a later wait can resume. Single requests have the limits
    /// of the client's options, and a request that takes too long does not end the wait.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = timeout;
        self
    }

    /// Time between two requests to a server that responds at once; 1 s unless set, at least 100 ms. While the job does not change, the time
    /// grows up to 10 s, or to the one that is set if that is longer. The client also asks the server to hold its response until the job
    /// changes.
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.limits.poll_interval = interval;
        self
    }

    /// Sets a callback for the job, called when it is first read and after each change of its status or progress. Not called on a
    /// server without an operation to read jobs.
    pub fn on_progress(mut self, report: impl FnMut(&Job) + Send + 'a) -> Self {
        self.limits.progress = Some(Box::new(report));
        self
    }
}

impl<C> Wait<'_, Response<Article>, C> {
    /// Waits until the article is published, and not only written: then it has its `url`. Set a [`timeout`](Self::timeout) that lasts until
    /// its `publish_at` or the next publishing slot. An article that waits for an approval is not published before that, and a server that
    /// shows neither `status` nor `published_at` of an article never satisfies this wait.
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// let request = client.generate().topic("Raised beds for a small garden").website_id("web_1").auto_publish(true);
    /// let article = request.send_and_wait().until_published().await?;
    /// println!("{}", article.url.as_deref().unwrap_or_default());
    /// # Ok(())
    /// # }
    /// ```
    pub fn until_published(mut self) -> Self {
        self.limits.until_published = true;
        self
    }
}

impl Limits<'_> {
    /// Returns the deadline, counted from now.
    pub(super) fn deadline(&self) -> Instant {
        after(Instant::now(), self.timeout)
    }

    /// Makes the poller of this wait.
    pub(super) fn poller<'c>(&self, client: &'c Client, job_id: String, deadline: Instant) -> JobPoller<'c> {
        JobPoller::new(client, job_id, deadline, self.poll_interval)
    }

    /// Returns true if the status or progress of a job is new, and then reports it to the callback.
    pub(super) fn report(&mut self, job: &Job) -> bool {
        let state = (job.status.as_str().to_owned(), job.progress);
        let is_new = self.last_reported.as_ref() != Some(&state);
        if is_new {
            if let Some(report) = &mut self.progress {
                report(job);
            }
            self.last_reported = Some(state);
        }
        is_new
    }
}

impl<'a, T> IntoFuture for Wait<'a, T> {
    type Output = Result<T, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        (self.start)(self.client, self.limits)
    }
}

#[cfg(feature = "blocking")]
impl<T> Wait<'_, T, crate::blocking::Client> {
    /// Waits.
    ///
    /// # Errors
    ///
    /// Any error of the wait.
    ///
    /// # Panics
    ///
    /// Inside asynchronous code: see [`blocking`](crate::blocking).
    pub fn wait(self) -> Result<T, Error> {
        self.client.wait((self.start)(self.client.api(), self.limits))
    }
}

impl<T, C> fmt::Debug for Wait<'_, T, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Wait")
            .field("timeout", &self.limits.timeout)
            .field("poll_interval", &self.limits.poll_interval)
            .finish_non_exhaustive()
    }
}
