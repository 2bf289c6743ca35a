//! Hook endpoints.

use crate::domain::clock::Timestamp;
use crate::domain::endpoint_health::EndpointHealth;
use crate::domain::former_secret::{FormerSecret, after_rotation};
use crate::domain::hook::{EndpointStatus, HookEndpoint, HookSecret, MAX_ENDPOINTS};
use crate::domain::store::{EndpointState, Error, Result};
use crate::wakeups::Announcement;

use super::accounts::lock_account;
use super::deletion::website_exists;
use super::events;
use super::sql::{Columns, Session, locking, to_json, values};
use super::store::Store;

impl Store {
    /// Stores an endpoint; at most 10 per account.
    pub async fn create_hook_endpoint(&self, endpoint: &HookEndpoint) -> Result<()> {
        let endpoint = endpoint.clone();
        let sealed = self.cipher.seal(&endpoint.id, &endpoint.secret);
        self.change_exclusive(move |session| {
            lock_account(session, &endpoint.account_id)?;
            let existing = session.number(
                concat!("SELECT count(*) FROM hook_endpoints WHERE account_id = $1 AND ", website_exists!()),
                values![&endpoint.account_id],
            )?;
            if usize::try_from(existing).is_ok_and(|existing| existing >= MAX_ENDPOINTS) {
                return Err(Error::LimitReached { limit: MAX_ENDPOINTS, what: "webhook endpoints" });
            }
            session.execute(
                "INSERT INTO hook_endpoints (id, account_id, url, events, website_id, description, secret, status,
                    include_content, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                values![
                    &endpoint.id,
                    &endpoint.account_id,
                    &endpoint.url,
                    &to_json(&endpoint.events),
                    &endpoint.website_id,
                    &endpoint.description,
                    &sealed,
                    endpoint.status.as_str(),
                    endpoint.include_content,
                    endpoint.created_at,
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// Returns the endpoints of an account, oldest first.
    pub async fn list_hook_endpoints(&self, account_id: &str) -> Result<Vec<EndpointState>> {
        let account_id = account_id.to_owned();
        let sealed = self
            .read_many(move |session| {
                session.rows(
                    concat!(
                        "SELECT id, url, events, website_id, description, secret, status, include_content, created_at,
                            disabled_reason, last_success_at, last_failure_at, ",
                        health_columns!(),
                        " FROM hook_endpoints WHERE account_id = $1 AND ",
                        website_exists!(),
                        " ORDER BY created_at, id"
                    ),
                    values![&account_id],
                    |row| {
                        let endpoint = HookEndpoint {
                            id: row.text()?,
                            account_id: account_id.clone(),
                            url: row.text()?,
                            events: events::known_types(row)?,
                            website_id: row.maybe_text()?,
                            description: row.maybe_text()?,
                            secret: row.text()?,
                            status: row.named(EndpointStatus::parse)?,
                            include_content: row.flag()?,
                            created_at: row.time()?,
                        };
                        Ok(EndpointState {
                            endpoint,
                            disabled_reason: row.maybe_text()?,
                            last_success_at: row.maybe_time()?,
                            last_failure_at: row.maybe_time()?,
                            health: health(row)?,
                        })
                    },
                )
            })
            .await?;
        let open = |state: EndpointState<String>| {
            let secret = self.cipher.open(&state.endpoint.id, &state.endpoint.secret);
            state.with_secret(secret)
        };
        Ok(sealed.into_iter().map(open).collect())
    }

    /// Stores the settings of an endpoint: URL, events, website, description, content. Returns true if the account has the
    /// endpoint with the settings of `former`. Waiting deliveries are due at `retry_at`, if given.
    pub async fn update_hook_endpoint(
        &self,
        former: &HookEndpoint<()>,
        endpoint: &HookEndpoint<()>,
        retry_at: Option<Timestamp>,
    ) -> Result<bool> {
        let (former, endpoint) = (former.clone(), endpoint.clone());
        let is_changed = self.change_exclusive(move |session| {
            let has_former_settings = session.first(
                locking!(
                    "SELECT url, events, website_id, description, include_content FROM hook_endpoints
                     WHERE id = $1 AND account_id = $2";
                    "FOR NO KEY UPDATE"
                ),
                values![&endpoint.id, &endpoint.account_id],
                |row| {
                    Ok(row.text()? == former.url
                        && events::known_types(row)? == former.events
                        && row.maybe_text()? == former.website_id
                        && row.maybe_text()? == former.description
                        && row.flag()? == former.include_content)
                },
            )?;
            if has_former_settings != Some(true) {
                return Ok(false);
            }
            session.execute(
                "UPDATE hook_endpoints SET url = $3, events = $4, website_id = $5, description = $6,
                    include_content = $7
                 WHERE id = $1 AND account_id = $2",
                values![
                    &endpoint.id,
                    &endpoint.account_id,
                    &endpoint.url,
                    &to_json(&endpoint.events),
                    &endpoint.website_id,
                    &endpoint.description,
                    endpoint.include_content,
                ],
            )?;
            retry_waiting(session, &endpoint.id, retry_at)?;
            Ok(true)
        });
        let is_changed = is_changed.await?;
        if is_changed && retry_at.is_some() {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(is_changed)
    }

    /// Returns true if the endpoint exists. Changes nothing, but stores the entry of the audit trail, which says that the
    /// secret was shown.
    pub async fn note_secret_revealed(&self, endpoint_id: &str) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        self.change(move |session| session.exists("SELECT 1 FROM hook_endpoints WHERE id = $1", values![&endpoint_id]))
            .await
    }

    /// Makes `secret` the signing secret. The former ones (at most two) also sign until `overlap_until`. Returns true if
    /// the endpoint exists. Waiting deliveries are due at `retry_at`, if given.
    pub async fn rotate_hook_secret(
        &self,
        endpoint_id: &str,
        secret: &HookSecret,
        (now, overlap_until): (Timestamp, Timestamp),
        retry_at: Option<Timestamp>,
    ) -> Result<bool> {
        let sealed = self.cipher.seal(endpoint_id, secret);
        let endpoint_id = endpoint_id.to_owned();
        let is_rotated = self.change_exclusive(move |session| {
            let is_rotated = rotate(session, &endpoint_id, &sealed, overlap_until, now)?;
            retry_waiting(session, &endpoint_id, retry_at)?;
            Ok(is_rotated)
        });
        let is_rotated = is_rotated.await?;
        if is_rotated && retry_at.is_some() {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(is_rotated)
    }

    /// Pauses, resumes or disables an endpoint and resets its health. Returns true if it exists. When it is resumed, waiting
    /// deliveries are due at `now`.
    pub async fn set_hook_status(&self, endpoint_id: &str, status: EndpointStatus, now: Timestamp) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        let retry_at = (status == EndpointStatus::Active).then_some(now);
        let changed = self
            .change_exclusive(move |session| {
                let changed = session.execute(
                    "UPDATE hook_endpoints SET status = $2, disabled_reason = NULL, failing_since = NULL,
                        failing_event_id = NULL,
                        is_spread = 0, failed_attempts = 0, exhausted = 0
                     WHERE id = $1",
                    values![&endpoint_id, status.as_str()],
                )?;
                retry_waiting(session, &endpoint_id, retry_at)?;
                Ok(changed > 0)
            })
            .await?;
        if changed && retry_at.is_some() {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(changed)
    }

    /// Removes an endpoint with its deliveries. Returns true if it existed.
    pub async fn remove_hook_endpoint(&self, endpoint_id: &str) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        self.change_exclusive(move |session| {
            Ok(session.execute("DELETE FROM hook_endpoints WHERE id = $1", values![&endpoint_id])? > 0)
        })
        .await
    }
}

/// Makes all deliveries of the endpoint that wait for a retry due at `retry_at`, if given. Its row is locked.
fn retry_waiting(session: &mut dyn Session, endpoint_id: &str, retry_at: Option<Timestamp>) -> Result<()> {
    let Some(retry_at) = retry_at else { return Ok(()) };
    session.execute(
        "UPDATE delivery_queue SET run_at = $2 WHERE endpoint_id = $1 AND run_at > $2 AND lease_token IS NULL",
        values![endpoint_id, retry_at],
    )?;
    Ok(())
}

/// Makes `sealed` the signing secret. The former secrets also sign until `overlap_until` or their earlier end. Returns true if
/// the endpoint exists.
fn rotate(
    session: &mut dyn Session,
    endpoint_id: &str,
    sealed: &str,
    overlap_until: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let found = session.first(
        locking!("SELECT secret, former_secrets FROM hook_endpoints WHERE id = $1"; "FOR NO KEY UPDATE"),
        values![endpoint_id],
        |row| Ok((row.text()?, row.json::<Vec<FormerSecret>>()?)),
    )?;
    let Some((secret, former)) = found else { return Ok(false) };
    let former = after_rotation(secret, former, overlap_until, now);
    session.execute(
        "UPDATE hook_endpoints SET secret = $2, former_secrets = $3 WHERE id = $1",
        values![endpoint_id, sealed, &to_json(&former)],
    )?;
    Ok(true)
}

/// The columns of an endpoint's health in the order in which [`health`] reads them.
macro_rules! health_columns {
    () => {
        "failing_since, failing_event_id, is_spread, failed_attempts, exhausted"
    };
}
pub(super) use health_columns;

/// Reads the columns of `health_columns`.
pub(super) fn health(row: &mut Columns<'_>) -> Result<EndpointHealth> {
    Ok(EndpointHealth {
        failing_since: row.maybe_time()?,
        failing_event_id: row.maybe_text()?,
        failed_for_distant_events: row.flag()?,
        failed_attempts: row.number()?,
        exhausted: row.number()?,
    })
}
