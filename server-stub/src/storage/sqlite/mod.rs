//! SQLite: one file, one thread that writes in groups, and connections that read at the same time.

mod backup;
mod connection;
mod engine;
mod error;
mod file_access;
mod migration;
mod readers;
mod row_cache;
mod serving;
mod session;
mod writer;

pub(super) use backup::back_up;
pub(super) use engine::Sqlite;
