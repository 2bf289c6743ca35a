//! Databases behind the [`Store`](crate::domain::store::Store) trait: one set of statements, run by SQLite or PostgreSQL. What the
//! service does with its records is decided in `domain`, not here.

mod backend;
mod backup;
#[cfg(test)]
mod no_randomness;
mod open;
mod open_error;
mod panics;
mod postgres;
mod secret_cipher;
mod secret_key;
mod sql;
mod sqlite;
mod statements;
mod store;
mod write_task;

pub use backup::{BackupError, BackupProgress, backup};
pub use open::{Options, migrate, open, shown};
pub use open_error::OpenError;
pub use secret_key::{SecretKey, SecretKeySource};
