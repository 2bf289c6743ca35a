//! Keys and scopes.

pub(super) mod articles;
pub(super) mod header;
pub(super) mod key;
pub(super) mod missing;
pub(super) mod order;
pub(super) mod scheme;
pub(super) mod scope;
pub(super) mod wrong_key;
