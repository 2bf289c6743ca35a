//! The target's quotas: announced values, available room, expected use.
//!
//! `requirements::limits` checks the small quota of a test key, which is not counted here.

mod count;
mod estimate;
mod ledger;
mod policy;

pub(super) use estimate::{Cost, Estimate, Workload};
pub(super) use ledger::{HeldBack, Quotas};
pub use policy::Quota;
