//! The target's quotas: what it tells of them, when they have room, what a run will use of them.
//!
//! The small quota that a test key has is not counted here but looked at by `requirements::limits`.

mod cost;
mod count;
mod estimate;
mod ledger;
mod policy;

pub(super) use cost::Cost;
pub(super) use estimate::{Estimate, Workload};
pub(super) use ledger::{HeldBack, Quotas};
pub use policy::Quota;
