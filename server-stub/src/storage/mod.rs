//! The [`Store`]: its methods with their SQL, one file per subject, and the engines that run them, SQLite and PostgreSQL. Decisions
//! are in `domain`.

mod accounts;
mod articles;
mod audit_trail;
mod backup;
mod delivery_log;
mod delivery_queue;
mod hint;
mod hook_endpoints;
mod job_queue;
mod leads;
mod maintenance;
#[cfg(test)]
mod no_randomness;
mod open;
mod open_error;
mod panics;
mod postgres;
mod publication_queue;
mod publishing_targets;
mod quota_windows;
mod secret_cipher;
mod secret_key;
mod sql;
mod sqlite;
mod statements;
mod statistics;
mod store;
mod unreadable_rows;
mod users;
mod voices;
mod write_task;

pub use backup::{BackupError, BackupProgress, backup};
pub use open::{Options, migrate, open, shown};
pub use open_error::OpenError;
pub use secret_key::{SecretKey, SecretKeySource};
pub use store::Store;
