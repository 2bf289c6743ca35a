//! Selects the requirements of a run and orders them: time or quotas may not suffice for all.
//!
//! `stage` skips selected requirements that the target does not support.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::quotas::Estimate;
use super::replay::Replay;
use super::settings::Settings;
use crate::check::{Level, Requirement};

/// The reason why a requirement is not part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// The profile does not contain it.
    Profile,
    /// The selection excludes it.
    Selection,
    /// Another shard contains it.
    Shard,
}

impl Settings {
    /// Returns the requirements of a run, in the order of their ids.
    pub(super) fn requirements(&self, catalogue: Vec<Requirement>) -> Vec<Arc<Requirement>> {
        let mut requirements = self.selection.select(catalogue, self.profile);
        if let Some(shard) = self.shard {
            shard.keep(&mut requirements);
        }
        if self.strict {
            for requirement in &mut requirements {
                Arc::make_mut(requirement).level = Level::Must;
            }
        }
        requirements
    }

    /// Returns the requirements of the catalogue that are not `planned`, with the reason.
    pub(super) fn left_out(
        &self,
        catalogue: Vec<Requirement>,
        planned: &[Arc<Requirement>],
    ) -> BTreeMap<&'static str, LeftOut> {
        let others = catalogue.into_iter().filter(|one| planned.iter().all(|planned| planned.id != one.id));
        let why = |one: &Requirement| match one.profile {
            profile if profile > self.profile => LeftOut::Profile,
            _ if !self.selection.keeps(one.id) => LeftOut::Selection,
            _ => LeftOut::Shard,
        };
        others.map(|one| (one.id, why(&one))).collect()
    }
}

/// Sorts failures of an earlier run first, then the cheapest requirements. Observers come last: they need fewer extra
/// exchanges if other requirements have already made many.
pub(super) fn put_in_order(requirements: &mut [Arc<Requirement>], estimate: &Estimate, replays: &[Replay]) {
    let failed_before = |id: &str| replays.iter().any(|replay| replay.shown_by == id || replay.requirement == id);
    requirements.sort_by_cached_key(|one| {
        let failed_before = failed_before(one.id);
        (!failed_before, !failed_before && one.observer().is_some(), estimate.cost(one))
    });
}
