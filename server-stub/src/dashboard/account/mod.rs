//! The account and its users: name, users, password, sessions, audit trail.

mod audit;
mod audit_export;
mod browser_name;
mod name;
mod password;
mod remove_user;
mod routes;
mod sessions;
mod users;

pub(super) use routes::routes;
