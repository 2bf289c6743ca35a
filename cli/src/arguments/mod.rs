//! Syntax of the command line: commands, options, and the forms of their values.

mod api;
mod demo;
mod duration;
mod environment;
mod format;
mod generate;
mod listen;
mod lists;
mod login;
mod man;
mod metadata;
mod moment;
mod resource;
mod root;
mod wait;

pub(crate) use api::Api;
pub(crate) use demo::{Demo, Trigger, TriggeredEvent};
pub(crate) use environment::{API_KEY, BASE_URL, CA_CERT, CONFIG, HOOK_SECRET, PROFILE, WEBSITE_ID, variable};
pub(crate) use format::Format;
pub(crate) use generate::Generate;
pub(crate) use listen::Listen;
pub(crate) use lists::{Articles, Leads, Paging, Posts};
pub(crate) use login::Login;
pub(crate) use man::Man;
pub(crate) use moment::Moment;
pub(crate) use resource::{Article, Jobs, Lead, ListVerb, Post, Verb};
pub(crate) use root::{Arguments, Command, Global, Shell};
pub(crate) use wait::Wait;
