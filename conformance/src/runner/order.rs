//! Orders the requirements of a run that may be too short for all, because time or quotas are limited.

use std::sync::Arc;

use super::quotas::Estimate;
use super::replay::Replay;
use crate::check::Requirement;

/// Sorts failures of an earlier run first, then the cheapest requirements. Observers come last: they need fewer extra
/// exchanges if other requirements have already made many.
pub(super) fn put_in_order(requirements: &mut [Arc<Requirement>], estimate: &Estimate, replays: &[Replay]) {
    let failed_before = |id: &str| replays.iter().any(|replay| replay.shown_by == id || replay.requirement == id);
    requirements.sort_by_cached_key(|one| {
        let failed_before = failed_before(one.id);
        (!failed_before, !failed_before && one.observer().is_some(), estimate.cost(one))
    });
}
