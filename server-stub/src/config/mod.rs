//! The command line and the environment variables behind its options. No other module reads either.

mod account;
mod arguments;
mod hook;
mod serve;
mod website;
mod write;

pub(crate) use account::{Account, CreateKey, Key, Lead, User};
pub(crate) use arguments::{
    Arguments, Backup, Command, DEFAULT_DATABASE, DEFAULT_FOLDER, Database, HookAddresses, List, LogFormat, Owner,
    SecretKeyOptions,
};
pub(crate) use hook::{CreateHook, DeliverySelector, Hook, ListAttempts, ListDeliveries};
pub(crate) use serve::{Role, Serve, ServedQuota};
pub(crate) use website::{CreateWebsite, DeleteWebsite, NameWebsite, PublishingOptions, SetWebsite, Target, Website};
pub(crate) use write::{ArticleFormat, CheckVoice, LearnVoice, Voice, Write, Writer, WriterKind, WriterOptions};
