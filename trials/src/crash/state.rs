//! The final state, read from the tables that both stores have. `ledger` fetches the rows.

use anyhow::{Context as _, Result};

use super::ledger::{Cell, Ledger};

/// A job.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) id: String,
    pub(super) status: String,
    pub(super) is_leased: bool,
    pub(super) error: Option<String>,
}

/// A post.
#[derive(Debug, Clone)]
pub(super) struct Post {
    pub(super) id: String,
    pub(super) job_id: Option<String>,
    pub(super) status: String,
    pub(super) is_leased: bool,
}

/// An article.
#[derive(Debug, Clone)]
pub(super) struct Article {
    pub(super) id: String,
    pub(super) job_id: Option<String>,
    pub(super) status: String,
}

/// A remembered idempotency key.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) key: String,
    pub(super) job_id: String,
}

/// A lead.
#[derive(Debug, Clone)]
pub(super) struct Lead {
    pub(super) id: String,
    pub(super) email: String,
}

/// An event.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) object_id: String,
    pub(super) body: Vec<u8>,
    pub(super) body_with_content: Option<Vec<u8>>,
}

/// A delivery.
#[derive(Debug, Clone)]
pub(super) struct Delivery {
    pub(super) id: String,
    pub(super) event_id: String,
    pub(super) endpoint_id: String,
    pub(super) status: String,
    pub(super) is_leased: bool,
}

/// The rows that the oracle checks.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) jobs: Vec<Job>,
    pub(super) posts: Vec<Post>,
    pub(super) articles: Vec<Article>,
    pub(super) keys: Vec<Key>,
    pub(super) leads: Vec<Lead>,
    pub(super) events: Vec<Event>,
    pub(super) deliveries: Vec<Delivery>,
    /// Number of unfinished jobs by the queue's counter.
    pub(super) counted_unfinished: i64,
}

/// Counts the work that is left before everything is done.
const UNFINISHED: &str = "SELECT (SELECT count(*) FROM jobs WHERE run_at IS NOT NULL)
    + (SELECT count(*) FROM scheduled_posts WHERE status NOT IN ('published', 'failed', 'cancelled'))
    + (SELECT count(*) FROM delivery_queue)";

/// Returns the number of pieces of work that are left.
pub(super) fn unfinished(ledger: &mut dyn Ledger) -> Result<i64> {
    number(ledger, UNFINISHED)
}

/// Returns the number of claimed rows.
pub(super) fn leased(ledger: &mut dyn Ledger) -> Result<i64> {
    let claimed = "SELECT (SELECT count(*) FROM jobs WHERE lease_token IS NOT NULL OR claim_token IS NOT NULL)
        + (SELECT count(*) FROM scheduled_posts WHERE lease_token IS NOT NULL)
        + (SELECT count(*) FROM delivery_queue WHERE lease_token IS NOT NULL)";
    number(ledger, claimed)
}

fn number(ledger: &mut dyn Ledger, query: &str) -> Result<i64> {
    let rows = ledger.rows(query)?;
    rows.into_iter().flatten().next().context("a count returned no row")?.number()
}

/// Reads the whole state.
pub(super) fn read(ledger: &mut dyn Ledger) -> Result<State> {
    Ok(State {
        jobs: all(
            ledger,
            "SELECT id, status, COALESCE(lease_token, claim_token), error FROM jobs",
            |[id, status, lease, error]| {
                Ok(Job {
                    id: id.text()?,
                    status: status.text()?,
                    is_leased: lease.is_some(),
                    error: error.maybe_text()?,
                })
            },
        )?,
        posts: all(
            ledger,
            "SELECT id, job_id, status, lease_token FROM scheduled_posts",
            |[id, job_id, status, lease]| {
                let (id, status, is_leased) = (id.text()?, status.text()?, lease.is_some());
                Ok(Post { id, job_id: job_id.maybe_text()?, status, is_leased })
            },
        )?,
        articles: all(ledger, "SELECT id, job_id, status FROM articles", |[id, job_id, status]| {
            Ok(Article { id: id.text()?, job_id: job_id.maybe_text()?, status: status.text()? })
        })?,
        keys: all(ledger, "SELECT key, job_id FROM idempotency_keys", |[key, job_id]| {
            Ok(Key { key: key.text()?, job_id: job_id.text()? })
        })?,
        leads: all(ledger, "SELECT id, body FROM leads", |[id, body]| {
            let body: serde_json::Value = serde_json::from_str(&body.text()?)?;
            Ok(Lead { id: id.text()?, email: body["email"].as_str().unwrap_or_default().to_owned() })
        })?,
        events: all(
            ledger,
            "SELECT id, type, object_id, body, body_with_content FROM events",
            |[id, kind, object_id, body, body_with_content]| {
                let (id, kind, object_id, body) = (id.text()?, kind.text()?, object_id.text()?, body.bytes()?);
                let body_with_content = body_with_content.is_some().then(|| body_with_content.bytes()).transpose()?;
                Ok(Event { id, kind, object_id, body, body_with_content })
            },
        )?,
        deliveries: all(
            ledger,
            "SELECT id, event_id, endpoint_id, status, lease_token FROM delivery_states",
            |[id, event_id, endpoint_id, status, lease]| {
                let (id, event_id, endpoint_id) = (id.text()?, event_id.text()?, endpoint_id.text()?);
                Ok(Delivery { id, event_id, endpoint_id, status: status.text()?, is_leased: lease.is_some() })
            },
        )?,
        counted_unfinished: number(ledger, "SELECT CAST(coalesce(sum(unfinished), 0) AS BIGINT) FROM queue_depths")?,
    })
}

fn all<T, const N: usize>(
    ledger: &mut dyn Ledger,
    query: &str,
    read: impl Fn([Cell; N]) -> Result<T>,
) -> Result<Vec<T>> {
    let rows = ledger.rows(query)?;
    rows.into_iter()
        .map(|row| {
            let columns = row.try_into().map_err(|_| anyhow::anyhow!("a row has unexpected columns"))?;
            read(columns)
        })
        .collect()
}
