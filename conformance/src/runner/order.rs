//! In which order requirements run where not all may have their turn: time is short, or the target's quotas are.

use std::sync::Arc;

use super::quotas::Estimate;
use super::replay::Replay;
use crate::check::Requirement;

/// Puts first what failed in an earlier run, then what costs least. Last comes what only looks at the exchanges of others: the more there
/// are, the less of its own it needs.
pub(super) fn put_in_order(requirements: &mut [Arc<Requirement>], estimate: &Estimate, replays: &[Replay]) {
    let failed_before = |id: &str| replays.iter().any(|replay| replay.shown_by == id || replay.requirement == id);
    requirements.sort_by_cached_key(|one| {
        let failed_before = failed_before(one.id);
        (!failed_before, !failed_before && one.observer().is_some(), estimate.cost(one))
    });
}
