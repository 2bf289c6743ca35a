//! What every store must keep, whichever database it is: each function is one promise, checked through the `Store` trait.
//! `sqlite` and `postgres` open the database, run them, and hold what only one of the two promises.

mod accounts;
mod backup;
mod batches;
mod claims;
mod clocks;
mod deliveries;
mod endpoints;
mod erasure;
mod fairness;
mod health;
mod jobs;
mod leads;
mod lists;
mod log;
pub(crate) mod postgres;
mod promises;
mod publishing;
mod queue_statistics;
mod quota_windows;
mod randomness;
mod recovery;
mod redelivery;
mod restart;
mod retention;
mod row_cache;
mod secrets;
mod set_aside;
pub(crate) mod sqlite;
mod sqlite_checks;
mod submissions;
mod upgrade;
mod voices;
pub(crate) mod world;
