//! Fills a database with rows, beside the store: by the store it would take hours.

mod postgres;
mod rows;
mod run;
mod sqlite;

pub(crate) use run::fill;
