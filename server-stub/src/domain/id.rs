//! Opaque, typed, time-ordered ids: a prefix for the kind, and a `UUIDv7`.

use uuid::Builder;

use super::clock::Timestamp;
use super::names::names;
use super::randomness::Randomness;

names! {
    /// Type of an id. The prefix prevents confusion, for example of a job id with an article id.
    pub enum Kind {
        /// An account.
        Account = "acct_",
        /// Public id of an API key (never the secret).
        ApiKey = "key_",
        /// An article.
        Article = "art_",
        /// An entry of an audit trail.
        AuditEntry = "audit_",
        /// One delivery of one event to one endpoint.
        Delivery = "dlv_",
        /// An event; its id is also the `webhook-id`.
        Event = "evt_",
        /// A webhook endpoint.
        HookEndpoint = "hook_",
        /// A generation job.
        Job = "job_",
        /// A lead.
        Lead = "lead_",
        /// A scheduled post.
        Post = "post_",
        /// A request, as in `X-Request-Id`.
        Request = "req_",
        /// A user's session in the dashboard.
        Session = "session_",
        /// A user of the dashboard.
        User = "user_",
        /// A Brand DNA profile.
        Voice = "voice_",
        /// A website.
        Website = "web_",
    }
}

impl Kind {
    /// Returns the prefix, underscore included.
    pub const fn prefix(self) -> &'static str {
        self.as_str()
    }
}

/// Returns a new id of `kind` for this time and these random bytes: the prefix and 32 hexadecimal digits (RFC 9562 version 7).
/// Ids sort by creation time. They contain no `.`, which is the separator in signatures of Standard Webhooks.
pub fn new(kind: Kind, now: Timestamp, randomness: &dyn Randomness) -> String {
    let mut random = [0_u8; 10];
    randomness.fill(&mut random);
    let millis = u64::try_from(now.millis()).unwrap_or(0);
    let uuid = Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
    format!("{}{}", kind.prefix(), uuid.simple())
}

/// Returns true if the text has the form of an id of that kind. A record with that id may not exist.
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

    /// Source of the same bytes for the same seed.
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

    /// Generates any millisecond that fits into version 7.
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
