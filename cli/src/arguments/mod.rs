//! Syntax of the command line: commands, options, and the forms of their values.

mod api;
mod article;
mod duration;
mod environment;
mod generate;
mod leads;
mod list;
mod listen;
mod man;
mod metadata;
mod moment;
mod root;
mod trigger;
mod wait;

pub(crate) use api::Api;
pub(crate) use article::{Article, Format};
pub(crate) use environment::{API_KEY, BASE_URL, CONFIG, HOOK_SECRET, PROFILE, WEBSITE_ID, variable};
pub(crate) use generate::Generate;
pub(crate) use leads::Leads;
pub(crate) use list::{Articles, Posts};
pub(crate) use listen::Listen;
pub(crate) use man::Man;
pub(crate) use moment::Moment;
pub(crate) use root::{Arguments, Command, Global, Job, Lead, Post, Shell};
pub(crate) use trigger::{Trigger, TriggeredEvent};
pub(crate) use wait::Wait;
