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

/// Subject whose attempts are counted. The database stores only a hash of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptSubject {
    /// An e-mail address, with or without a user, or a signed-in user.
    Person([u8; 32]),
    /// A network address.
    Address([u8; 32]),
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

    /// Returns the subject for a network, such as an IPv4 address or the first half of an IPv6 address.
    pub fn network(network: &str) -> Self {
        Self::Address(Sha256::digest(format!("address:{network}")).into())
    }

    /// Returns the hash that the database stores.
    pub const fn hash(&self) -> &[u8; 32] {
        match self {
            Self::Person(hash) | Self::Address(hash) => hash,
        }
    }

    /// Returns the number of failures that starts the first lockout. Many people may share a network address.
    pub const fn allowed_failures(&self) -> u32 {
        match self {
            Self::Person(_) => 5,
            Self::Address(_) => 30,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lockouts_begin_after_a_few_failures_and_grow_to_a_quarter_of_an_hour() {
        let (subject, now) = (AttemptSubject::email("ada@example.com"), Timestamp::from_millis(0));
        let seconds = |failures| subject.locked_until(failures, now).map(Timestamp::seconds);
        assert_eq!([1, 4, 5, 6, 7].map(seconds), [None, None, Some(30), Some(60), Some(120)]);
        assert_eq!([50, u32::MAX].map(seconds), [Some(900), Some(900)]);
    }
}
