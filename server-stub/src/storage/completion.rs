//! Completes jobs: stores article, job and post together, for many jobs in few round trips.

use std::collections::HashMap;

use crate::domain::article::Article;
use crate::domain::job::{Job, JobStatus};
use crate::domain::publish::{Publication, needs_slot};
use crate::domain::store::{JobCompletion, LeaseOutcome, Result};
use crate::wakeups::Announcement;

use super::sql::{BatchStatement, ExclusiveSession, Session, Value, values};
use super::store::{Engine, Store};
use super::{articles, jobs, posts, slots};

impl Store {
    /// Stores the article and completes job and post. The post becomes `ready`, or `scheduled` if it is published
    /// automatically.
    pub async fn complete_job(&self, completion: JobCompletion) -> Result<LeaseOutcome> {
        let job_id = completion.job_id.clone();
        let outcome = match &self.engine {
            Engine::Sqlite(sqlite) => {
                sqlite
                    .writer
                    .write(move |session| {
                        let outcomes = complete(session, std::slice::from_ref(&completion))?;
                        Ok(outcomes.first().copied().unwrap_or(LeaseOutcome::Lost))
                    })
                    .await?
            }
            Engine::Postgres(postgres) => postgres.completions.call(completion).await?,
        };
        // Also if the lease is lost: an earlier call may have committed without a response.
        self.announce(Announcement::PostDue);
        self.announce(Announcement::JobEnded(job_id));
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
    sqlite_each:
        "UPDATE scheduled_posts SET status = $2, article_id = $3, run_at = $4, is_wall_time = $5, updated_at = $6,
            publish_at = coalesce($7, publish_at)
         WHERE id = $1",
    postgres_all: "UPDATE scheduled_posts SET status = input.status, article_id = input.article_id,
            run_at = input.run_at, is_wall_time = input.is_wall_time, updated_at = input.updated_at,
            publish_at = coalesce(input.publish_at, scheduled_posts.publish_at)
         FROM unnest($1::text[], $2::text[], $3::text[], $4::int8[], $5::int8[], $6::int8[], $7::int8[])
            AS input (id, status, article_id, run_at, is_wall_time, updated_at, publish_at)
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

/// Decides when each article is published, and locks the slots of the websites whose slots may be taken.
fn publications(session: &mut dyn ExclusiveSession, held: &[(&JobCompletion, Job)]) -> Result<Vec<Publication>> {
    let mut articles: HashMap<&str, usize> = HashMap::new();
    for (_, job) in held.iter().filter(|(one, job)| needs_slot(job, one.article.status)) {
        *articles.entry(&job.website_id).or_default() += 1;
    }
    let Some(now) = held.iter().map(|(one, _)| one.finished_at.wall).max() else { return Ok(Vec::new()) };
    let free = slots::for_articles(session, &articles, now)?;
    let mut free: HashMap<_, _> = free.into_iter().map(|(website_id, slots)| (website_id, slots.into_iter())).collect();
    let publication = |(one, job): &(&JobCompletion, Job)| {
        Publication::decide(job, one.article.status, free.get_mut(job.website_id.as_str()))
    };
    Ok(held.iter().map(publication).collect())
}

/// Returns the values for `MOVE_POSTS`.
fn post_row<'a>(completion: &'a JobCompletion, job: &'a Job, publication: Publication) -> Vec<Value<'a>> {
    let (now, status) = (completion.finished_at, publication.post_status().as_str());
    let (run_at, is_wall_time) = posts::due_columns(publication.due_at(now));
    let article_id = &completion.article.id;
    let publish_at = publication.publish_at();
    values![&job.scheduled_post_id, status, article_id, run_at, is_wall_time, now.wall, publish_at].to_vec()
}
