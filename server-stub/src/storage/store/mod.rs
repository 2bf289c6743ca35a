//! The parts of [`Store`](crate::domain::store::Store) on any backend: which statements run where, what is sealed, and what others
//! are told. The statements are in `statements`.

mod accounts;
mod articles;
mod audit_trail;
mod delivery_log;
mod delivery_queue;
mod hook_endpoints;
mod job_queue;
mod leads;
mod maintenance;
mod publication_queue;
mod publishing_targets;
mod quota_windows;
mod sql_store;
mod statistics;
mod unreadable_rows;
mod users;
mod voices;

pub(super) use sql_store::SqlStore;
