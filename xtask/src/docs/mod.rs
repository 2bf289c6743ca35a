//! `cargo xtask docs`: the reference, the problem pages and the guides as HTML that loads nothing from elsewhere.

mod answers;
mod badge;
mod command;
mod constraint;
mod edition;
mod guide;
mod layout;
mod markup;
mod navigation;
mod operation;
mod problem;
mod reference;
mod sample;
mod schema;
mod search;
mod served_page;
mod tables;

pub(crate) use command::{Arguments, run};
pub(crate) use served_page::served_page;
use xtask::node;
