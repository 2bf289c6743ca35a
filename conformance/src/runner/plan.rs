//! Which requirements a run covers.
//!
//! Why a covered one is skipped depends on the target and is decided in `stage`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::settings::Settings;
use crate::check::{Level, Requirement};

/// Why a requirement is no part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// The profile does not demand it.
    Profile,
    /// The selection of requirements leaves it out.
    Selection,
    /// Another part of the run has it.
    Shard,
}

impl Settings {
    /// The requirements of a run, in the order of their ids.
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

    /// The requirements of the catalogue that are no part of the run, with the reason; `planned` are those that are.
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
