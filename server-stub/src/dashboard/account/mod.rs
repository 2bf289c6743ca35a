//! The account and its users: name, users, password, sessions, audit trail.

pub(super) mod audit;
pub(super) mod name;
pub(super) mod password;
pub(super) mod sessions;
pub(super) mod users;
