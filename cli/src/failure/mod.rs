//! How a command ends badly: an exit code, what happened, and what to do about it. Nothing is printed here.

mod advice;
mod exit;
mod members;
mod report;

pub(crate) use exit::{EXIT_CODES, Exit, Signal};
pub(crate) use members::unsendable;
pub(crate) use report::Failure;
