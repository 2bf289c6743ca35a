//! The command line and the environment variables behind its options. No other module reads either.

mod arguments;
mod backup;
mod hook;
mod key;
mod lead;
mod retention;
mod user;
mod website;

pub(crate) use arguments::{
    Account, Arguments, Command, DEFAULT_DATABASE, DEFAULT_FOLDER, Database, HookAddresses, LogFormat, Role, Serve,
    ServedQuota,
};
pub(crate) use backup::Backup;
pub(crate) use hook::{CreateHook, DeliverySelector, Hook, ListAttempts, ListDeliveries, ListHooks};
pub(crate) use key::{CreateKey, Key, ListKeys, RevokeKey};
pub(crate) use lead::Lead;
pub(crate) use retention::Retain;
pub(crate) use user::{CreateUser, LinkUser, User};
pub(crate) use website::{CreateWebsite, ListWebsites, SetWebsite, Website};
