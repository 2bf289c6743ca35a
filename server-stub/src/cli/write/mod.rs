//! `write`: writes an article in the terminal, as the server does.

mod command;
mod rendering;

pub(super) use command::write;
