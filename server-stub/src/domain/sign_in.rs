//! When a try to sign in is refused because there were too many: a pure decision. Passwords are checked in `app`.

use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::clock::Timestamp;

/// Failures are forgotten after so long without another.
pub const FAILURE_MEMORY: Duration = Duration::from_hours(1);
/// The shortest lockout; each further failure doubles it.
const MIN_LOCKOUT: Duration = Duration::from_secs(30);
/// The longest lockout.
const MAX_LOCKOUT: Duration = Duration::from_mins(15);

/// Whose tries are counted. Of both only a hash is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptSubject {
    /// An e-mail address, whether a user has it or not, or a user who is signed in.
    Person([u8; 32]),
    /// A network address.
    Address([u8; 32]),
}

impl AttemptSubject {
    /// The tries for an e-mail address.
    pub fn email(email: &str) -> Self {
        Self::Person(Sha256::digest(format!("email:{email}")).into())
    }

    /// The tries to give the password of a user who is signed in, to set another one.
    pub fn current_password(user_id: &str) -> Self {
        Self::Person(Sha256::digest(format!("password:{user_id}")).into())
    }

    /// The tries from a network, such as an address of IPv4 or the first half of one of IPv6.
    pub fn network(network: &str) -> Self {
        Self::Address(Sha256::digest(format!("address:{network}")).into())
    }

    /// What the database keeps.
    pub const fn hash(&self) -> &[u8; 32] {
        match self {
            Self::Person(hash) | Self::Address(hash) => hash,
        }
    }

    /// How many failures are allowed before the first lockout. Many people may share a network address.
    pub const fn allowed_failures(&self) -> u32 {
        match self {
            Self::Person(_) => 5,
            Self::Address(_) => 30,
        }
    }

    /// Until when no further try is allowed after `failures` of them, this one at `now` included.
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
