//! Leads.

pub(super) mod cache;
pub(super) mod capture;
pub(crate) mod confirmation;
pub(super) mod filter;
pub(super) mod get;
pub(super) mod list;
pub(super) mod privacy;
pub(super) mod sync;
pub(super) mod times;
pub(super) mod unknown;
pub(crate) mod updated_at;
