//! Ends all leases when a process begins to serve an SQLite file: no other process can hold one.

use crate::domain::clock::Timestamp;
use crate::domain::retry_schedule::BEYOND_ALL_PAUSES;
use crate::domain::store::Result;

use super::sql::{Session, values};

/// Ends all leases and returns their number. Also makes rows due that would wait too long because the clock was set back.
pub(super) fn take_over(session: &mut dyn Session, now: Timestamp) -> Result<u64> {
    let mut ended = 0;
    for end_leases in [
        "UPDATE jobs SET run_at = $1 WHERE lease_token IS NOT NULL AND run_at > $1",
        "UPDATE scheduled_posts SET run_at = $1 WHERE lease_token IS NOT NULL AND run_at > $1",
        "UPDATE delivery_queue SET run_at = $1 WHERE lease_token IS NOT NULL AND run_at > $1",
    ] {
        ended += session.execute(end_leases, values![now])?;
    }
    // A claimed job that is still queued keeps its place; a job that waits for another attempt is due now. The token stays:
    // it shows the next holder that a claim lapsed.
    ended += session.execute(
        "UPDATE jobs SET run_at = CASE WHEN status = 'queued' AND created_at < $1 THEN created_at ELSE $1 END
         WHERE claim_token IS NOT NULL AND run_at > $1",
        values![now],
    )?;
    session.execute("UPDATE jobs SET run_at = $1 WHERE status = 'queued' AND run_at > $1", values![now])?;
    session.execute(
        "UPDATE scheduled_posts SET run_at = $1 WHERE attempts = 0 AND run_at > $1 AND is_wall_time = 0",
        values![now],
    )?;
    session.execute(
        "UPDATE delivery_queue SET run_at = $1 WHERE attempts = 0 AND run_at > $1 AND kind = 'scheduled'",
        values![now],
    )?;
    session.execute("UPDATE article_updates SET run_at = $1 WHERE run_at > $1", values![now])?;
    // A later time comes from a clock that was ahead.
    let latest = now.plus(BEYOND_ALL_PAUSES);
    session.execute("UPDATE delivery_queue SET run_at = $1 WHERE run_at > $2", values![now, latest])?;
    Ok(ended)
}
