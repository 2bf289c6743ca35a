//! The command line and the environment variables that stand for its options: the only place that reads either.

mod arguments;
mod hook;
mod lead;

pub(crate) use arguments::{
    Account, Arguments, Command, CreateKey, CreateWebsite, DEFAULT_DATABASE, DEFAULT_FOLDER, Database, Key, LogFormat,
    Role, Serve, ServedQuota, Website,
};
pub(crate) use hook::{CreateHook, Hook, ListAttempts, ListDeliveries, ListHooks, Which};
pub(crate) use lead::Lead;
