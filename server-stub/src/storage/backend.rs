//! What the store asks of a database engine: to run work in a session. Which work that is, the store decides.

use std::fmt;

use crate::domain::job::Job;
use crate::domain::key::{ApiKey, SecretHash};
use crate::domain::store::{
    Error, JobCompletion, JobStart, LeaseOutcome, Result, StoredArticle, Submission, Submitted,
};

use super::sql::Session;
use super::statements::{articles, claims, completion, keys, submission};

/// A message to other processes: work waits, or a job ended. A hint may be lost, so all processes poll, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hint {
    /// A job was queued.
    Jobs,
    /// A post became due.
    Posts,
    /// A delivery was written.
    Deliveries,
    /// The job became terminal.
    JobEnded(String),
}

/// A database engine.
pub(super) trait Backend: fmt::Debug + Send + Sync + 'static {
    /// Reads a row or a few by key. `work` may be called twice.
    fn read_few<T, F>(&self, work: F) -> impl Future<Output = Result<T>> + Send
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static;

    /// Reads many rows. `work` may be called twice.
    fn read_many<T, F>(&self, work: F) -> impl Future<Output = Result<T>> + Send
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static;

    /// Reads a page of a list. A short one takes microseconds, because an index leads to its few rows and to no others.
    fn read_page<T, F>(&self, _is_short: bool, work: F) -> impl Future<Output = Result<T>> + Send
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        self.read_many(work)
    }

    /// Runs `work` in a transaction and returns when it is durable. When `work` fails, everything is rolled back. `work` may be
    /// called several times, each time after a rollback.
    fn write<T, F>(&self, work: F) -> impl Future<Output = Result<T>> + Send
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static;

    /// Like [`Backend::write`], but PostgreSQL never groups it with other work, because groups that lock several rows could
    /// deadlock.
    fn write_alone<T, F>(&self, work: F) -> impl Future<Output = Result<T>> + Send
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        self.write(work)
    }

    /// Queues a job.
    fn submit(&self, submission: Submission) -> impl Future<Output = Result<Submitted>> + Send {
        self.write(move |session| {
            let mut outcomes = submission::submit(session, std::slice::from_ref(&submission))?;
            outcomes.pop().unwrap_or_else(|| Err(Error::Broken("a submission has no outcome".into())))
        })
    }

    /// Begins the work on a claimed job.
    fn begin(&self, start: JobStart) -> impl Future<Output = Result<Option<Job>>> + Send {
        self.write(move |session| Ok(claims::begin(session, std::slice::from_ref(&start))?.pop().flatten()))
    }

    /// Completes a job.
    fn complete(&self, completion: JobCompletion) -> impl Future<Output = Result<LeaseOutcome>> + Send {
        self.write(move |session| {
            let outcome = completion::complete(session, std::slice::from_ref(&completion))?;
            Ok(outcome.first().copied().unwrap_or(LeaseOutcome::Lost))
        })
    }

    /// The key with that hash.
    fn find_key(&self, hash: SecretHash) -> impl Future<Output = Result<Option<ApiKey>>> + Send {
        self.read_few(move |session| keys::find(session, hash))
    }

    /// The article with that id.
    fn find_article(&self, article_id: &str) -> impl Future<Output = Result<Option<StoredArticle>>> + Send {
        let article_id = article_id.to_owned();
        self.read_few(move |session| articles::find(session, &article_id))
    }

    /// How many tasks wait in queues.
    fn waiting(&self) -> u64;

    /// Sends a hint to other processes, where there can be any.
    fn hint(&self, _hint: Hint) {}
}
