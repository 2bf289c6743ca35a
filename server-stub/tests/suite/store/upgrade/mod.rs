//! A rolling upgrade: a process of the version before works on while this one brings the schema up to date, and beside it.
//!
//! No older program is built here. What it would do to the database is kept as its statements, word for word, beside the schema
//! that it knew. Whoever adds a migration replaces them by those of the version that this leaves behind; see "Adding a migration"
//! in ARCHITECTURE.md.

mod beside;
mod postgres;
mod postgres_locks;
mod postgres_takeover;
mod sqlite;
