//! Completes jobs: stores article, job and post together, for many jobs in few round trips.

use std::collections::HashMap;

use crate::domain::article::{Article, ArticleStatus};
use crate::domain::clock::Timestamp;
use crate::domain::job::{Job, JobStatus};
use crate::domain::post::PostStatus;
use crate::domain::store::{JobCompletion, LeaseOutcome, Result};
use crate::wakeups::Announcement;

use super::sql::{BatchStatement, ExclusiveSession, Session, values};
use super::store::{Engine, Store};
use super::{articles, jobs, slots};

impl Store {
    /// Stores the article and completes job and post. The post becomes `ready`, or `scheduled` if it is published
    /// automatically.
    pub async fn complete_job(&self, completion: JobCompletion) -> Result<LeaseOutcome> {
        let job_id = completion.job_id.clone();
        let outcome = match &self.engine {
            Engine::Sqlite(sqlite) => {
                sqlite
                    .write(move |session| {
                        let outcomes = complete(session, std::slice::from_ref(&completion))?;
                        Ok(outcomes.first().copied().unwrap_or(LeaseOutcome::Lost))
                    })
                    .await?
            }
            Engine::Postgres(postgres) => postgres.completions.call(completion).await?,
        };
        if outcome == LeaseOutcome::Recorded {
            self.announce(Announcement::PostDue);
            self.announce(Announcement::JobEnded(job_id));
        }
        Ok(outcome)
    }
}

/// Completes the jobs that are still leased under their tokens. Returns a lost lease for the others.
pub(super) fn complete(session: &mut dyn ExclusiveSession, completions: &[JobCompletion]) -> Result<Vec<LeaseOutcome>> {
    let mut leased = leased(session, completions)?;
    let mut held: Vec<(&JobCompletion, Job)> = completions
        .iter()
        .filter_map(|completion| leased.remove(completion.lease_token.as_str()).map(|job| (completion, job)))
        .collect();
    let recorded: Vec<_> = completions.iter().map(|completion| lease_outcome(&held, completion)).collect();
    // Ending a job locks the counter of its website. All transactions take these locks in the same order, so they do not
    // deadlock.
    held.sort_by(|one, other| one.1.website_id.cmp(&other.1.website_id));
    let publications = publications(session, &held)?;
    let slugs = articles::free_slugs(session, &held.iter().map(|(one, _)| &one.article).collect::<Vec<_>>())?;
    let written: Vec<(&str, Article)> = held
        .iter()
        .zip(slugs)
        .zip(&publications)
        .map(|(((one, job), slug), publication)| {
            let status = publication.post_status().article_status();
            (job.account_id.as_str(), Article { status, ..one.article.clone().with_slug(slug) })
        })
        .collect();
    articles::insert(session, &written)?;
    let inputs: Vec<_> = held
        .iter()
        .map(|(one, job)| {
            let ended = job.clone().ended(JobStatus::Completed, one.finished_at.wall);
            values![&job.id, &one.article.id, ended.finished_at, ended.deadline_at].to_vec()
        })
        .collect();
    session.execute_batch(&COMPLETE_JOBS, &inputs)?;
    let inputs: Vec<_> =
        held.iter().zip(&publications).map(|((one, job), publication)| post_row(one, job, *publication)).collect();
    session.execute_batch(&MOVE_POSTS, &inputs)?;
    Ok(recorded)
}

const COMPLETE_JOBS: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE jobs SET status = 'completed', progress = 100, article_id = $2, finished_at = $3, deadline_at = $4,
            run_at = NULL, lease_token = NULL, claim_token = NULL
         WHERE id = $1",
    postgres_all: "UPDATE jobs SET status = 'completed', progress = 100, article_id = input.article_id,
            finished_at = input.finished_at, deadline_at = input.deadline_at, run_at = NULL, lease_token = NULL, claim_token = NULL
         FROM unnest($1::text[], $2::text[], $3::int8[], $4::int8[])
            AS input (id, article_id, finished_at, deadline_at)
         WHERE jobs.id = input.id",
};

const MOVE_POSTS: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE scheduled_posts SET status = $2, article_id = $3, run_at = $4, updated_at = $5,
            publish_at = coalesce($6, publish_at)
         WHERE id = $1",
    postgres_all: "UPDATE scheduled_posts SET status = input.status, article_id = input.article_id,
            run_at = input.run_at, updated_at = input.updated_at,
            publish_at = coalesce(input.publish_at, scheduled_posts.publish_at)
         FROM unnest($1::text[], $2::text[], $3::text[], $4::int8[], $5::int8[], $6::int8[])
            AS input (id, status, article_id, run_at, updated_at, publish_at)
         WHERE scheduled_posts.id = input.id",
};

/// Returns the jobs that are still leased, by their lease tokens.
fn leased<'a>(session: &mut dyn Session, completions: &'a [JobCompletion]) -> Result<HashMap<&'a str, Job>> {
    let inputs: Vec<_> = completions.iter().map(|one| values![&one.job_id, &one.lease_token].to_vec()).collect();
    let mut leased = HashMap::new();
    session.query_batch(&LOCK_LEASED, &inputs, &mut |number, row| {
        leased.insert(completions[number].lease_token.as_str(), jobs::job(row)?);
        Ok(())
    })?;
    Ok(leased)
}

const LOCK_LEASED: BatchStatement = BatchStatement {
    sqlite_each: concat!(
        "SELECT ",
        jobs::job_columns!(),
        " FROM jobs WHERE id = $1 AND lease_token = $2 AND status = 'in_progress'"
    ),
    postgres_all: concat!(
        "SELECT input.number, ",
        jobs::job_columns!(),
        " FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS input (job_id, token, number)
         JOIN jobs ON jobs.id = input.job_id AND jobs.lease_token = input.token
         WHERE status = 'in_progress'
         ORDER BY input.number FOR UPDATE OF jobs"
    ),
};

fn lease_outcome(held: &[(&JobCompletion, Job)], completion: &JobCompletion) -> LeaseOutcome {
    let is_held = held.iter().any(|(one, _)| std::ptr::eq(*one, completion));
    if is_held { LeaseOutcome::Recorded } else { LeaseOutcome::Lost }
}

/// Time at which a finished article is published.
#[derive(Debug, Clone, Copy)]
enum Publication {
    /// After it is approved.
    AfterApproval,
    /// As soon as possible.
    AtOnce,
    /// At the requested time, which was in the future when requested.
    At(Timestamp),
    /// In this slot of its website.
    InSlot(Timestamp),
}

impl Publication {
    const fn post_status(self) -> PostStatus {
        match self {
            Self::AfterApproval => PostStatus::Ready,
            Self::AtOnce | Self::At(_) | Self::InSlot(_) => PostStatus::Scheduled,
        }
    }
}

/// Decides when each article is published. An article that needs no approval and has no given time gets a slot if its website has
/// slots. If no slot is free, it waits for approval.
fn publications(session: &mut dyn ExclusiveSession, held: &[(&JobCompletion, Job)]) -> Result<Vec<Publication>> {
    let is_planned = |one: &JobCompletion| one.article.status == ArticleStatus::Scheduled;
    let mut articles: HashMap<&str, usize> = HashMap::new();
    for (_, job) in held.iter().filter(|(one, job)| is_planned(one) && job.request.publish_at.is_none()) {
        *articles.entry(&job.website_id).or_default() += 1;
    }
    let Some(now) = held.iter().map(|(one, _)| one.finished_at.wall).max() else { return Ok(Vec::new()) };
    let free = slots::for_articles(session, &articles, now)?;
    let mut free: HashMap<_, _> = free.into_iter().map(|(website_id, slots)| (website_id, slots.into_iter())).collect();
    let publication = |(one, job): &(&JobCompletion, Job)| match (job.request.publish_at, is_planned(one)) {
        (_, false) => Publication::AfterApproval,
        // Also for a time that has passed by now: the claim decides whether it is late.
        (Some(at), true) if at > job.created_at => Publication::At(at),
        (Some(_), true) => Publication::AtOnce,
        (None, true) => match free.get_mut(job.website_id.as_str()) {
            Some(slots) => slots.next().map_or(Publication::AfterApproval, Publication::InSlot),
            None => Publication::AtOnce,
        },
    };
    Ok(held.iter().map(publication).collect())
}

/// Returns the values for `MOVE_POSTS`. A post that waits for its `publish_at` has the same value as `run_at`. This shows the
/// claim that the wall clock decides.
fn post_row<'a>(
    completion: &'a JobCompletion,
    job: &'a Job,
    publication: Publication,
) -> Vec<crate::storage::sql::Value<'a>> {
    let now = completion.finished_at;
    let (run_at, slot) = match publication {
        Publication::AfterApproval => (None, None),
        Publication::AtOnce => (Some(now.steady), None),
        Publication::At(at) => (Some(at), None),
        Publication::InSlot(slot) => (Some(slot), Some(slot)),
    };
    let status = publication.post_status().as_str();
    values![&job.scheduled_post_id, status, &completion.article.id, run_at, now.wall, slot].to_vec()
}
