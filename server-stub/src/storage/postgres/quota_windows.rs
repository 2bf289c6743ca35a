//! Leases of quotas that several processes share. Their queues have separate threads and share the connections for reading, so
//! leases do not wait for writes to disk.

use std::time::Duration;

use crate::domain::store::{Error, QUOTA_LEASE_DIVISOR, QuotaLease, QuotaLeaseRequest, Result};
use crate::storage::sql::{Session, values};

use super::reconnecting::Reconnecting;

/// Age in milliseconds at which an ended window is deleted. A caller reuses a newer one.
const ENDED_FOR_MS: u32 = 60_000;
/// Number of ended windows that are deleted for each new one. More than one is needed to reduce their number.
const DELETED_PER_NEW_WINDOW: u32 = 2;

/// Single statement, so it is one transaction. PostgreSQL locks the row before it evaluates the inner query. So the time is
/// read once, after the lock is taken. A window that ends more than one length from now dates from before the clock was set
/// back.
const LEASE: &str = "INSERT INTO quota_windows AS stored (policy, subject, length, ends_at, leased, granted)
    SELECT $1, $2, $3::bigint, now + $3::bigint, batch, batch
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
                 greatest($4::bigint / $5::bigint, 1) AS batch) AS first
    ON CONFLICT (policy, subject, length) DO UPDATE SET (ends_at, leased, granted) = (
        SELECT ends_at, leased + granted, granted
        FROM (SELECT ends_at, leased,
                     greatest(least(greatest(($4::bigint - leased) / $5::bigint, 1) - held, $4::bigint - leased), 0) AS granted
              FROM (SELECT CASE WHEN is_current THEN stored.ends_at ELSE now + $3::bigint END AS ends_at,
                           CASE WHEN is_current THEN stored.leased ELSE 0 END AS leased,
                           CASE WHEN is_current AND stored.ends_at = $6::bigint THEN $7::bigint ELSE 0 END AS held
                    FROM (SELECT now, stored.ends_at > now AND stored.ends_at <= now + $3::bigint AS is_current
                          FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now) AS clock) AS time) AS window_now
             ) AS lease)
    RETURNING ends_at, granted, leased, greatest(ends_at - (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 0)";

const DELETE_ENDED: &str = "DELETE FROM quota_windows WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM quota_windows
    WHERE ends_at <= (extract(epoch FROM statement_timestamp()) * 1000)::bigint - $1::bigint
    ORDER BY ends_at LIMIT $2 FOR UPDATE SKIP LOCKED))";

pub(super) fn lease(session: &mut dyn Session, subject: &str, request: &QuotaLeaseRequest) -> Result<QuotaLease> {
    let length = i64::from(request.quota.window_seconds) * 1000;
    let held = request.held;
    let parameters = values![
        request.policy,
        subject,
        length,
        request.quota.requests,
        QUOTA_LEASE_DIVISOR,
        held.window,
        held.requests,
    ];
    let lease = session.first(LEASE, parameters, |row| {
        let (window, granted, leased) = (row.number()?, row.number()?, row.number()?);
        Ok(QuotaLease { window, granted, leased, ends_in: Duration::from_millis(row.number()?) })
    })?;
    lease.ok_or_else(|| Error::Broken("a lease has no row".into()))
}

pub(super) fn delete_ended(connection: &mut Reconnecting) {
    let deleted = connection.read(&mut |session| {
        let session: &mut dyn Session = session;
        session.execute(DELETE_ENDED, values![ENDED_FOR_MS, DELETED_PER_NEW_WINDOW])
    });
    if let Err(error) = deleted {
        tracing::debug!(%error, "windows of quotas that have ended were not deleted");
    }
}
