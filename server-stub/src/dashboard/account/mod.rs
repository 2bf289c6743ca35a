//! The account and its users: name, users, password, sessions, audit trail, deletion.

pub(super) mod audit;
pub(super) mod delete;
pub(super) mod name;
pub(super) mod password;
pub(super) mod sessions;
pub(super) mod users;
