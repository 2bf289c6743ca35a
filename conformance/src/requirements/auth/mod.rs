//! Keys and scopes.

pub(super) mod articles;
pub(super) mod expired_key;
pub(super) mod header;
pub(super) mod key;
pub(super) mod missing;
pub(super) mod order;
pub(super) mod restricted_key;
pub(super) mod revoked_key;
pub(super) mod scheme;
pub(super) mod scope;
pub(super) mod wrong_key;
