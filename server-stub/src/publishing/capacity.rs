//! Limits how many posts are published at the same time, and counts the pushes of each website.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::publishing_target::{MAX_PUSHES_AT_ONCE, MAX_PUSHES_IN_ALL};

/// Maximum number of posts published at the same time.
pub(super) const MAX_IN_FLIGHT: usize = 64;

const _: () = assert!(MAX_PUSHES_IN_ALL < MAX_IN_FLIGHT, "pushes must leave some slots for other posts");

/// A push to a website. It counts until it is dropped.
pub(super) type PushInFlight = Arc<()>;

/// Pushes in flight per website: the clones of its counter, without the one in this map.
#[derive(Debug, Default)]
pub(super) struct PushCounters(HashMap<String, PushInFlight>);

impl PushCounters {
    /// Counts a push for the website.
    pub(super) fn begin(&mut self, website_id: &str) -> PushInFlight {
        Arc::clone(self.0.entry(website_id.to_owned()).or_default())
    }

    /// Returns the number of pushes in flight for each website.
    pub(super) fn counts(&mut self) -> Vec<(String, usize)> {
        self.0.retain(|_, pushes| count(pushes) > 0);
        self.0.iter().map(|(website_id, pushes)| (website_id.clone(), count(pushes))).collect()
    }

    /// Returns true if a limit is reached, so that a post may have to wait for a push to end.
    pub(super) fn hold_back(&self) -> bool {
        let mut counts = self.0.values().map(count);
        counts.clone().sum::<usize>() >= MAX_PUSHES_IN_ALL || counts.any(|pushes| pushes >= MAX_PUSHES_AT_ONCE)
    }
}

fn count(pushes: &PushInFlight) -> usize {
    Arc::strong_count(pushes) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_counts_until_it_is_dropped_and_holds_back_others_at_its_websites_limit() {
        let mut pushes = PushCounters::default();
        let mut begun: Vec<_> = (1..MAX_PUSHES_AT_ONCE).map(|_| pushes.begin("web_1")).collect();
        begun.push(pushes.begin("web_2"));
        assert!(!pushes.hold_back());
        begun.push(pushes.begin("web_1"));
        assert!(pushes.hold_back());
        begun.remove(0);
        assert!(!pushes.hold_back());
        let mut counts = pushes.counts();
        counts.sort();
        assert_eq!(counts, [("web_1".to_owned(), MAX_PUSHES_AT_ONCE - 1), ("web_2".to_owned(), 1)]);
        begun.clear();
        assert!(pushes.counts().is_empty());
    }
}
