//! The command line and the environment variables behind its options. No other module reads either.

mod arguments;
mod backup;
mod hook;
mod key;
mod lead;
mod publishing;
mod retention;
mod user;
mod voice;
mod website;
mod write;
mod writer;

pub(crate) use arguments::{
    Account, Arguments, Command, DEFAULT_DATABASE, DEFAULT_FOLDER, Database, HookAddresses, LogFormat, Role, Serve,
    ServedQuota,
};
pub(crate) use backup::Backup;
pub(crate) use hook::{CreateHook, DeliverySelector, Hook, ListAttempts, ListDeliveries, ListHooks};
pub(crate) use key::{CreateKey, Key, ListKeys, RevokeKey};
pub(crate) use lead::{Lead, WhichLeads};
pub(crate) use publishing::{PublishRoot, PublishingOptions, Target};
pub(crate) use retention::Retain;
pub(crate) use user::{CreateUser, LinkUser, User};
pub(crate) use voice::{CheckVoice, LearnVoice, Voice};
pub(crate) use website::{CreateWebsite, ListWebsites, NameWebsite, SetWebsite, Website};
pub(crate) use write::{ArticleFormat, Write};
pub(crate) use writer::{Writer, WriterKind, WriterOptions};
