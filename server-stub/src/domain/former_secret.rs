//! Former signing secrets of an endpoint, which also sign for a while after a rotation.

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;

/// Maximum number of former secrets that still sign.
const MAX_FORMER_SECRETS: usize = 2;

/// A former secret that still signs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerSecret {
    /// The sealed secret.
    pub secret: String,
    /// End of its use, in milliseconds since the Unix epoch.
    until: i64,
}

impl FormerSecret {
    /// Returns true if the secret signs at `now`.
    pub const fn signs(&self, now: Timestamp) -> bool {
        self.until > now.millis()
    }
}

/// Returns the former secrets after `replaced` was replaced, newest first. They sign until `overlap_until` or their earlier
/// end.
pub fn after_rotation(
    replaced: String,
    former: Vec<FormerSecret>,
    overlap_until: Timestamp,
    now: Timestamp,
) -> Vec<FormerSecret> {
    let replaced = FormerSecret { secret: replaced, until: i64::MAX };
    let all = [replaced].into_iter().chain(former);
    let cut = |one: FormerSecret| FormerSecret { until: one.until.min(overlap_until.millis()), ..one };
    all.map(cut).filter(|one| one.signs(now)).take(MAX_FORMER_SECRETS).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn at_most_two_former_secrets_sign_and_none_longer_than_the_last_overlap(
            rotations in prop::collection::vec((0..50_i64, 0..100_i64), 1..20),
        ) {
            let (mut now, mut former) = (0, Vec::new());
            for (number, (passed, overlap)) in rotations.into_iter().enumerate() {
                now += passed;
                let at = Timestamp::from_millis;
                let before = former.clone();
                former = after_rotation(number.to_string(), former, at(now + overlap), at(now));
                prop_assert!(former.len() <= MAX_FORMER_SECRETS);
                prop_assert!(former.iter().all(|one| one.signs(at(now)) && !one.signs(at(now + overlap))));
                prop_assert_eq!(former.first().map(|one| one.secret.clone()), (overlap > 0).then(|| number.to_string()));
                for one in former.iter().skip(1) {
                    let known = before.iter().find(|other| other.secret == one.secret).unwrap();
                    prop_assert!(known.until >= one.until);
                }
            }
        }
    }
}
