//! Limits and quotas.

pub(super) mod body;
pub(super) mod quota;
