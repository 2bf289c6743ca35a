//! Opaque, typed, time-ordered ids: a prefix that names the kind and a `UUIDv7`. Nothing here looks anything up.

use uuid::Builder;

use super::clock::Timestamp;
use super::randomness::Randomness;

/// What an id names; the prefix keeps a job id from ever being taken for an article id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An account.
    Account,
    /// An API key's public id (never the secret).
    ApiKey,
    /// An article.
    Article,
    /// An entry of an audit trail.
    AuditEntry,
    /// One delivery of one event to one endpoint.
    Delivery,
    /// An event, which is the `webhook-id` too.
    Event,
    /// A hook endpoint.
    HookEndpoint,
    /// A generation job.
    Job,
    /// A lead.
    Lead,
    /// A scheduled post.
    Post,
    /// A request, as `X-Request-Id` names it.
    Request,
    /// A stay of a user in the dashboard.
    Session,
    /// A user of the dashboard.
    User,
    /// A Brand DNA profile.
    Voice,
    /// A website.
    Website,
}

impl Kind {
    /// The prefix, underscore included.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Account => "acct_",
            Self::ApiKey => "key_",
            Self::Article => "art_",
            Self::AuditEntry => "audit_",
            Self::Delivery => "dlv_",
            Self::Event => "evt_",
            Self::HookEndpoint => "hook_",
            Self::Job => "job_",
            Self::Lead => "lead_",
            Self::Post => "post_",
            Self::Request => "req_",
            Self::Session => "session_",
            Self::User => "user_",
            Self::Voice => "voice_",
            Self::Website => "web_",
        }
    }
}

/// A new id of `kind`, decided by the moment and the random bytes: prefix and 32 hexadecimal digits (RFC 9562 version 7), so
/// ids sort by the time they were made. It never holds a `.`, which Standard Webhooks signatures could not tell from their separator.
pub fn new(kind: Kind, now: Timestamp, randomness: &dyn Randomness) -> String {
    let mut random = [0_u8; 10];
    randomness.fill(&mut random);
    let millis = u64::try_from(now.millis()).unwrap_or(0);
    let uuid = Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
    format!("{}{}", kind.prefix(), uuid.simple())
}

/// Whether the text has the form of an id of that kind; whether anything has the id is not looked up.
pub fn is_one(kind: Kind, text: &str) -> bool {
    text.strip_prefix(kind.prefix()).is_some_and(|digits| {
        digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use proptest::prelude::*;
    use rand::SeedableRng as _;
    use rand::rngs::ChaCha8Rng;

    use super::*;

    /// The same bytes for the same seed.
    #[derive(Debug)]
    struct Seeded(Mutex<ChaCha8Rng>);

    impl Seeded {
        fn new(seed: u64) -> Self {
            Self(Mutex::new(ChaCha8Rng::seed_from_u64(seed)))
        }
    }

    impl Randomness for Seeded {
        fn fill(&self, bytes: &mut [u8]) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(bytes);
        }
    }

    /// Any millisecond that version 7 has room for.
    fn moments() -> impl Strategy<Value = Timestamp> {
        (0..1_i64 << 48).prop_map(Timestamp::from_millis)
    }

    proptest! {
        #[test]
        fn the_same_moments_and_randomness_make_the_same_ids(
            seed: u64, moments in prop::collection::vec(moments(), 1..20),
        ) {
            let make = || {
                let randomness = Seeded::new(seed);
                moments.iter().map(|now| new(Kind::Job, *now, &randomness)).collect::<Vec<_>>()
            };
            prop_assert_eq!(make(), make());
        }

        #[test]
        fn ids_sort_by_the_time_they_were_made(seed: u64, one in moments(), other in moments()) {
            prop_assume!(one != other);
            let randomness = Seeded::new(seed);
            let ids = [one, other].map(|now| new(Kind::Event, now, &randomness));
            prop_assert_eq!(ids[0].cmp(&ids[1]), one.cmp(&other));
        }

        #[test]
        fn ids_of_one_moment_differ_and_have_the_form_of_version_7(seed: u64, now in moments()) {
            let randomness = Seeded::new(seed);
            let [one, other] = [(); 2].map(|()| new(Kind::Article, now, &randomness));
            prop_assert_ne!(&one, &other);
            let digits = one.strip_prefix("art_").unwrap();
            let uuid = uuid::Uuid::try_parse(digits).unwrap();
            prop_assert_eq!(uuid.simple().to_string(), digits);
            prop_assert_eq!((uuid.get_version_num(), uuid.get_variant()), (7, uuid::Variant::RFC4122));
        }
    }
}
