//! What can be typed: commands, options, and the forms of their values. Nothing is done here.

mod article;
mod duration;
mod environment;
mod generate;
mod leads;
mod listen;
mod metadata;
mod moment;
mod root;
mod wait;

pub(crate) use article::{Article, Format};
pub(crate) use environment::{API_KEY, BASE_URL, HOOK_SECRET, WEBSITE_ID, variable};
pub(crate) use generate::Generate;
pub(crate) use leads::Leads;
pub(crate) use listen::Listen;
pub(crate) use moment::Moment;
pub(crate) use root::{Arguments, Command, Global, Job, Shell};
pub(crate) use wait::Wait;
