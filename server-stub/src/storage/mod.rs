//! Databases behind the [`Store`](crate::domain::store::Store) trait. What the service does with its records is decided in
//! `domain`, not here.

mod open;
mod sqlite;

pub use open::{OpenError, migrate, open};
