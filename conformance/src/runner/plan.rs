//! Selects the requirements of a run.
//!
//! `stage` skips selected requirements that the target does not support.

use std::collections::BTreeMap;
use std::sync::Arc;

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
