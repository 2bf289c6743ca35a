//! Finds jobs that can be claimed. The accounts take turns, so that the jobs of one do not delay those of another.

use crate::domain::clock::Timestamp;
use crate::domain::fair_shares::fair_shares;
use crate::domain::job::Job;
use crate::domain::store::Result;

use super::jobs;
use super::set_aside::{Unreadable, read_row};
use super::sql::{BatchStatement, Columns, Session, values};

/// A job that can be claimed.
pub(super) struct DueJob {
    pub(super) job: Job,
    /// Time since which it is due.
    pub(super) due_at: Timestamp,
    /// True if its last holder did not record a result.
    pub(super) has_lapsed: bool,
    /// True if its last attempt did not record a result.
    pub(super) was_interrupted: bool,
}

/// Returns up to `limit` jobs that can be claimed: first one of each account, then a second one, and so on. Begins behind the
/// account `last_served`. Also returns the jobs that cannot be read.
pub(super) fn find(
    session: &mut dyn Session,
    limit: u32,
    last_served: &str,
    now: Timestamp,
) -> Result<(Vec<DueJob>, Vec<Unreadable>)> {
    let accounts = accounts_in_turn(session, limit, last_served, now)?;
    let shares = fair_shares(&accounts.iter().map(|(_, due)| *due).collect::<Vec<_>>(), limit);
    let inputs: Vec<_> =
        accounts.iter().zip(shares).map(|((account_id, _), share)| values![account_id, now, share].to_vec()).collect();
    let mut turns = vec![0_u32; accounts.len()];
    let (mut readable, mut unreadable) = (Vec::new(), Vec::new());
    session.query_batch(&DUE_JOBS, &inputs, &mut |number, row| {
        let id = row.text()?;
        match read_row(&id, due_job(row))? {
            Ok(job) => readable.push((turns[number], job)),
            Err(row) => unreadable.push(row),
        }
        turns[number] += 1;
        Ok(())
    })?;
    readable.sort_by_key(|(turn, _)| *turn);
    Ok((readable.into_iter().map(|(_, job)| job).collect(), unreadable))
}

/// Returns up to `limit` accounts in the order of their ids, each with the number of its due jobs, counted up to `limit`. Begins
/// behind the account `last_served`, and ends with that account.
fn accounts_in_turn(
    session: &mut dyn Session,
    limit: u32,
    last_served: &str,
    now: Timestamp,
) -> Result<Vec<(String, u32)>> {
    let mut from = |account_id: &str| {
        session.rows(ACCOUNTS_WITH_DUE_JOBS, values![account_id, now, limit], |row| Ok((row.text()?, row.number()?)))
    };
    let mut accounts = from(last_served)?;
    if accounts.len() < limit as usize && !last_served.is_empty() {
        let others = from("")?.into_iter().take_while(|(account_id, _)| account_id.as_str() <= last_served);
        accounts.extend(others);
        accounts.truncate(limit as usize);
    }
    Ok(accounts)
}

/// True for a job that can be claimed. An attempt whose lease lapsed can be claimed even after its deadline, because no worker
/// worked on it in that time.
macro_rules! can_be_claimed {
    ($now:literal) => {
        concat!("run_at <= ", $now, " AND (expires_at > ", $now, " OR lease_token IS NOT NULL)")
    };
}

/// Returns the accounts behind `$1` in the order of their ids: the recursion returns one account per step. Each step skips all jobs
/// of an account, so its backlog costs nothing.
const ACCOUNTS_WITH_DUE_JOBS: &str = concat!(
    "WITH RECURSIVE waiting (account_id) AS (
        SELECT (SELECT account_id FROM jobs WHERE run_at IS NOT NULL AND account_id > $1 ORDER BY account_id LIMIT 1)
        UNION ALL
        SELECT (SELECT account_id FROM jobs WHERE run_at IS NOT NULL AND account_id > waiting.account_id
                ORDER BY account_id LIMIT 1)
        FROM waiting WHERE waiting.account_id IS NOT NULL),
     counted AS (
        SELECT account_id,
            (SELECT count(*) FROM (SELECT 1 FROM jobs WHERE jobs.account_id = waiting.account_id AND ",
    can_be_claimed!("$2"),
    " LIMIT $3) AS due) AS due_jobs
        FROM waiting)
     SELECT account_id, due_jobs FROM counted WHERE due_jobs > 0 LIMIT $3"
);

/// The columns of a due job in the order in which [`due_job`] reads them.
macro_rules! due_columns {
    () => {
        concat!(
            jobs::job_columns!(),
            ", run_at, CASE WHEN claim_token IS NULL AND lease_token IS NULL AND is_set_aside = 0 THEN 0 ELSE 1 END,
            CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END"
        )
    };
}

const DUE_JOBS: BatchStatement = BatchStatement {
    sqlite_each: concat!(
        "SELECT id, ",
        due_columns!(),
        " FROM jobs WHERE account_id = $1 AND ",
        can_be_claimed!("$2"),
        " ORDER BY run_at, id LIMIT $3"
    ),
    postgres_all: concat!(
        "SELECT input.number, id, ",
        due_columns!(),
        " FROM unnest($1::text[], $2::int8[], $3::int8[]) WITH ORDINALITY AS input (of_account, now, most, number)
         CROSS JOIN LATERAL (
            SELECT ",
        jobs::job_columns!(),
        ", run_at, claim_token, lease_token, is_set_aside FROM jobs WHERE account_id = input.of_account AND ",
        can_be_claimed!("input.now"),
        " ORDER BY run_at, id LIMIT input.most FOR UPDATE SKIP LOCKED) AS due
         ORDER BY input.number, run_at, id"
    ),
};

/// Reads the columns of `due_columns`.
fn due_job(row: &mut Columns<'_>) -> Result<DueJob> {
    Ok(DueJob { job: jobs::job(row)?, due_at: row.time()?, has_lapsed: row.flag()?, was_interrupted: row.flag()? })
}
