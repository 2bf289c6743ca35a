//! The program `contentgen-server`: its commands, and the operator's work with webhooks, keys and databases.

mod backup;
mod commands;
mod hooks;
mod keys;
mod permissions;
mod postgres;
pub(crate) mod program;
mod retention;
mod revocation;
mod secret_key;
mod shutdown;
mod texts;
mod users;
mod websites;
mod writer;
