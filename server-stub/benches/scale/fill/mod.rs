//! Fills a database with rows directly. Filling it through the store would take hours.

mod postgres;
mod rows;
mod run;
mod sqlite;

pub(crate) use run::fill;
