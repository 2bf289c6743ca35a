//! Retention times of records, and the bounds within which an operator or owner may choose them; and the time by which records
//! expire, which a wrong clock moves slowly. `purger` and `storage` delete the records.

use std::time::Duration;

use super::clock::{Moment, Timestamp};
use super::link_token::CONFIRMATION_VALID_FOR;
use super::names::names;

const DAY: Duration = Duration::from_hours(24);
/// Maximum retention time. Records that must be kept longer are kept forever.
pub const MAX_RETENTION: Duration = Duration::from_hours(3650 * 24);
/// Minimum retention of events and deliveries. Deliveries that an endpoint missed in the last 14 days can be recovered; one that
/// was deleted earlier would look like a missed one.
pub const MIN_EVENT_RETENTION: Duration = Duration::from_hours(15 * 24);
/// Minimum retention of attempts.
pub const MIN_ATTEMPT_RETENTION: Duration = DAY;
/// Minimum time for which stored responses are replayed.
pub const MIN_IDEMPOTENCY_RETENTION: Duration = DAY;
/// Maximum time for which stored responses are replayed.
pub const MAX_IDEMPOTENCY_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Minimum retention of unconfirmed leads, so that their purge erases none whose link works.
pub const MIN_UNCONFIRMED_LEAD_RETENTION: Duration = CONFIRMATION_VALID_FOR;
/// Retention of unconfirmed leads, if the operator chooses no other (`unconfirmed_leads` under `x-limits`).
pub const UNCONFIRMED_LEAD_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Minimum retention of jobs and posts: longer than the responses that are replayed for idempotency keys, which name a job.
pub const MIN_JOB_RETENTION: Duration = Duration::from_hours(31 * 24);
/// Retention of jobs and posts that have ended, if the operator chooses no other (`ended_jobs` under `x-limits`).
pub const JOB_RETENTION: Duration = Duration::from_hours(90 * 24);
/// Minimum retention of entries of the audit trail.
pub const MIN_AUDIT_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Retention of entries of the audit trail, if the operator chooses no other.
pub const AUDIT_RETENTION: Duration = Duration::from_hours(730 * 24);
/// Maximum lag of the purge time behind the clock before operators are warned.
pub const MAX_PURGE_LAG: Duration = Duration::from_hours(1);
/// Minimum retention of leads, so that a mistyped unit does not erase them at once.
pub const MIN_LEAD_RETENTION: Duration = DAY;

names! {
    /// A kind of record that is kept for a limited time.
    pub enum RecordKind {
        /// A response that is stored for an idempotency key.
        IdempotencyKey = "idempotency_key",
        /// A lead, with its events.
        Lead = "lead",
        /// An unconfirmed lead of a website with double opt-in, with its events.
        UnconfirmedLead = "unconfirmed_lead",
        /// An event, with its deliveries.
        Event = "event",
        /// A finished delivery, with its attempts.
        Delivery = "delivery",
        /// A delivery attempt.
        Attempt = "attempt",
        /// A scheduled post that has ended.
        Post = "post",
        /// A job that has ended, with its events.
        Job = "job",
        /// An entry of the audit trail.
        AuditEntry = "audit_entry",
        /// A website that its account deleted, with all of its records.
        DeletedWebsite = "website",
        /// A deleted account, with all of its records.
        DeletedAccount = "account",
    }
}

/// Retention times of records, from their creation; for posts and jobs, from their end. The owner of each website chooses the retention
/// of leads, which may be shorter than that of unconfirmed ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Events, with their deliveries and attempts.
    pub events: Duration,
    /// Finished deliveries, with their attempts.
    pub deliveries: Duration,
    /// Attempts.
    pub attempts: Duration,
    /// Responses stored for idempotency keys, which are replayed during this time.
    pub idempotency_keys: Duration,
    /// Unconfirmed leads of websites with double opt-in, with their events.
    pub unconfirmed_leads: Duration,
    /// Jobs and scheduled posts that have ended.
    pub jobs: Duration,
    /// Entries of the audit trail.
    pub audit_entries: Duration,
}

impl Default for Retention {
    /// Returns 24 hours for idempotency keys, 90 days for jobs, two years for the audit trail, 30 days for everything else.
    fn default() -> Self {
        let month = 30 * DAY;
        Self {
            events: month,
            deliveries: month,
            attempts: month,
            idempotency_keys: DAY,
            unconfirmed_leads: UNCONFIRMED_LEAD_RETENTION,
            jobs: JOB_RETENTION,
            audit_entries: AUDIT_RETENTION,
        }
    }
}

impl Retention {
    /// Returns the time up to which records of this kind have expired. For leads it is `now`: each website has a separate
    /// retention. Deleted websites and accounts have none.
    #[must_use]
    pub fn cutoff(&self, kind: RecordKind, now: Timestamp) -> Timestamp {
        match kind {
            RecordKind::IdempotencyKey => now.minus(self.idempotency_keys),
            RecordKind::Lead | RecordKind::DeletedWebsite | RecordKind::DeletedAccount => now,
            RecordKind::UnconfirmedLead => now.minus(self.unconfirmed_leads),
            RecordKind::Event => now.minus(self.events),
            RecordKind::Delivery => now.minus(self.deliveries),
            RecordKind::Attempt => now.minus(self.attempts),
            RecordKind::Post | RecordKind::Job => now.minus(self.jobs),
            RecordKind::AuditEntry => now.minus(self.audit_entries),
        }
    }
}

/// The time by which records expire. It follows the wall clock, but pauses while no process runs, and advances at most as
/// fast as the steady time; twice as fast while it lags. So if a clock is set ahead, no record is deleted earlier than by the
/// time for which purges have seen that clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct PurgeClock {
    /// The purge time after the last purge of this process, and the time of that purge.
    seen: Option<(Timestamp, Moment)>,
}

impl PurgeClock {
    /// Returns the next purge time to store. `stored` is the present one, which other processes may have advanced.
    #[must_use]
    pub fn next(self, stored: Option<Timestamp>, now: Moment) -> Timestamp {
        let Some(stored) = stored else { return now.wall };
        let allowed = self.seen.map_or(stored, |(time, at)| {
            let passed = now.steady.millis().saturating_sub(at.steady.millis()).max(0);
            let lag = at.wall.millis().saturating_sub(time.millis()).max(0);
            time.plus_millis(passed.saturating_add(passed.min(lag)))
        });
        stored.max(allowed.min(now.wall))
    }

    /// Remembers the stored purge time.
    pub fn see(&mut self, stored: Timestamp, now: Moment) {
        self.seen = Some((stored, now));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BEGIN: i64 = 1_790_000_000_000;

    /// Something that happens to one of two processes with a shared database.
    #[derive(Debug, Clone)]
    enum Step {
        /// Time passes while both run, in milliseconds.
        Pass(i64),
        /// A clock is set to this difference from honest time, in milliseconds.
        SetClock(usize, i64),
        /// A process starts again.
        Restart(usize),
        /// A process purges.
        Purge(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        let error = prop_oneof![Just(0), -4_000_000_000_i64..4_000_000_000];
        prop_oneof![
            (0_i64..200_000_000).prop_map(Step::Pass),
            (0_usize..2, error).prop_map(|(process, error)| Step::SetClock(process, error)),
            (0_usize..2).prop_map(Step::Restart),
            (0_usize..2).prop_map(Step::Purge),
        ]
    }

    proptest! {
        #[test]
        fn no_record_expires_earlier_than_by_the_time_for_which_purges_saw_a_wrong_clock(
            steps in proptest::collection::vec(step(), 1..80),
        ) {
            let (mut honest, mut wrong_for) = (BEGIN, 0);
            let (mut errors, mut clocks) = ([0; 2], [PurgeClock::default(); 2]);
            // Whether the clock was ahead at the last purge of the process.
            let mut was_ahead = [false; 2];
            let mut stored = None;
            for step in std::iter::once(Step::Purge(0)).chain(steps) {
                match step {
                    Step::Pass(millis) => {
                        honest += millis;
                        wrong_for += if was_ahead.contains(&true) { millis } else { 0 };
                    }
                    Step::SetClock(process, error) => errors[process] = error,
                    Step::Restart(process) => {
                        clocks[process] = PurgeClock::default();
                        was_ahead[process] = false;
                    }
                    Step::Purge(process) => {
                        let wall = Timestamp::from_millis(honest + errors[process]);
                        let now = Moment { wall, steady: Timestamp::from_millis(honest) };
                        let next = clocks[process].next(stored, now);
                        prop_assert!(stored.is_none_or(|stored| stored <= next), "it never goes back");
                        clocks[process].see(next, now);
                        was_ahead[process] = errors[process] > 0;
                        stored = Some(next);
                        let early = next.min(wall).millis() - honest;
                        prop_assert!(early <= wrong_for, "{early} ms early, wrong for {wrong_for} ms");
                    }
                }
            }
        }

        #[test]
        fn an_honest_clock_is_caught_up_with_after_a_pause_of_the_same_length(pause in 1_i64..4_000_000_000) {
            let at = |millis| Moment { wall: Timestamp::from_millis(millis), steady: Timestamp::from_millis(millis) };
            let mut clock = PurgeClock::default();
            let stored = Some(Timestamp::from_millis(BEGIN));
            let restarted = at(BEGIN + pause);
            prop_assert_eq!(clock.next(stored, restarted).millis(), BEGIN);
            clock.see(Timestamp::from_millis(BEGIN), restarted);
            let later = at(BEGIN + 2 * pause);
            prop_assert_eq!(clock.next(stored, later), later.wall);
        }
    }
}
