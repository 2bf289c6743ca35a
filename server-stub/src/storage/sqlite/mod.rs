//! The embedded database: one file, WAL, durable commits, one writer that commits in groups. Nothing here is known outside
//! `storage` but through the `Store` trait.

mod accounts;
mod articles;
mod claims;
mod connection;
mod deliveries;
mod error;
mod events;
mod idempotency;
mod jobs;
mod leads;
mod lists;
mod migration;
mod pipeline;
mod readers;
mod recent;
mod row;
mod statistics;
mod store;
mod submission;
mod writer;

pub(super) use store::SqliteStore;
