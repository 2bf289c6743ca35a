//! Lockout after too many failed sign-in attempts, as a pure decision. `app` checks passwords.

use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::clock::Timestamp;

/// Time without another failure after which failures are forgotten.
pub const FAILURE_MEMORY: Duration = Duration::from_hours(1);
/// Minimum lockout; each further failure doubles it.
const MIN_LOCKOUT: Duration = Duration::from_secs(30);
/// Maximum lockout.
const MAX_LOCKOUT: Duration = Duration::from_mins(15);

/// Counted attempts of a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedAttempts {
    /// Number of failures.
    pub failures: u32,
    /// Time of the last one.
    pub last_at: Timestamp,
    /// End of the lockout, if any.
    pub locked_until: Option<Timestamp>,
}

/// Subject whose attempts are counted. The database stores only a hash of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AttemptSubject {
    /// An e-mail address, with or without a user, or a signed-in user.
    Person([u8; 32]),
    /// A network, and the multiple of the failures that a single address may have.
    Network([u8; 32], u32),
}

impl AttemptSubject {
    /// Returns the subject for an e-mail address.
    pub fn email(email: &str) -> Self {
        Self::Person(Sha256::digest(format!("email:{email}")).into())
    }

    /// Returns the subject for a signed-in user who enters the current password to set a new one.
    pub fn current_password(user_id: &str) -> Self {
        Self::Person(Sha256::digest(format!("password:{user_id}")).into())
    }

    /// Returns the subject for a network that may have `multiple` times the failures of an address.
    pub fn network(network: &str, multiple: u32) -> Self {
        Self::Network(Sha256::digest(format!("address:{network}")).into(), multiple)
    }

    /// Returns the hash that the database stores.
    pub const fn hash(&self) -> &[u8; 32] {
        match self {
            Self::Person(hash) | Self::Network(hash, _) => hash,
        }
    }

    /// Returns the number of failures that starts the first lockout. Many people may share a network address.
    pub const fn allowed_failures(&self) -> u32 {
        match self {
            Self::Person(_) => 5,
            Self::Network(_, multiple) => 30_u32.saturating_mul(*multiple),
        }
    }

    /// Returns the end of the lockout after `failures` failures, including the one at `now`; `None` if another attempt is
    /// allowed.
    pub fn locked_until(&self, failures: u32, now: Timestamp) -> Option<Timestamp> {
        let beyond = failures.checked_sub(self.allowed_failures())?;
        let lockout = MIN_LOCKOUT.saturating_mul(2_u32.saturating_pow(beyond.min(16)));
        Some(now.plus(lockout.min(MAX_LOCKOUT)))
    }
}

/// Counts an attempt at `now` for each subject, given the attempts counted so far. The attempt counts as a failure until it
/// succeeds. If a subject is locked, counts nothing and returns the end of the lockout as an error.
pub fn count_attempt(
    subjects: &[(AttemptSubject, Option<CountedAttempts>)],
    now: Timestamp,
) -> Result<Vec<CountedAttempts>, Timestamp> {
    let remembered =
        |counted: Option<CountedAttempts>| counted.filter(|counted| now < counted.last_at.plus(FAILURE_MEMORY));
    let locks = subjects.iter().filter_map(|(_, counted)| remembered(*counted)?.locked_until);
    if let Some(locked_until) = locks.filter(|until| now < *until).max() {
        return Err(locked_until);
    }
    let count = |(subject, counted): &(AttemptSubject, Option<CountedAttempts>)| {
        let failures = remembered(*counted).map_or(0, |counted| counted.failures).saturating_add(1);
        CountedAttempts { failures, last_at: now, locked_until: subject.locked_until(failures, now) }
    };
    Ok(subjects.iter().map(count).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_of_one_subject_stops_all_and_failures_are_forgotten_after_an_hour() {
        let at = |seconds: i64| Timestamp::from_millis(seconds * 1000);
        let subjects = [AttemptSubject::email("ada@example.com"), AttemptSubject::network("192.0.2.1", 1)];
        let mut counted = [None, None];
        let mut attempt = |seconds| {
            let known: Vec<_> = subjects.into_iter().zip(counted).collect();
            let next = count_attempt(&known, at(seconds));
            if let Ok(next) = &next {
                counted = [Some(next[0]), Some(next[1])];
            }
            next.map(|next| (next[0].failures, next[1].failures))
        };
        for number in 1..=5 {
            assert_eq!(attempt(0), Ok((number, number)));
        }
        assert_eq!(attempt(29), Err(at(30)));
        assert_eq!(attempt(30), Ok((6, 6)));
        assert_eq!(attempt(30 + 3599), Ok((7, 7)));
        assert_eq!(attempt(30 + 3599 + 3600), Ok((1, 1)));
    }

    #[test]
    fn lockouts_begin_after_a_few_failures_and_grow_to_a_quarter_of_an_hour() {
        let (subject, now) = (AttemptSubject::email("ada@example.com"), Timestamp::from_millis(0));
        let seconds = |failures| subject.locked_until(failures, now).map(Timestamp::seconds);
        assert_eq!([1, 4, 5, 6, 7].map(seconds), [None, None, Some(30), Some(60), Some(120)]);
        assert_eq!([50, u32::MAX].map(seconds), [Some(900), Some(900)]);
        let locks_first_at = |multiple| {
            let network = AttemptSubject::network("2001:db8::/48", multiple);
            (1..1000).find(|failures| network.locked_until(*failures, now).is_some())
        };
        assert_eq!([1, 4, 16].map(locks_first_at), [Some(30), Some(120), Some(480)]);
    }
}
