//! Which requirements a run covers.
//!
//! Why a covered one is skipped depends on the target and is decided in `stage`.

use std::sync::Arc;

use super::settings::Settings;
use crate::check::{Level, Requirement};

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
}
