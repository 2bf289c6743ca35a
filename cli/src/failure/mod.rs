//! Failures of commands: an exit code, a message, and advice.

mod advice;
mod exit;
mod members;
mod report;

pub(crate) use exit::{EXIT_CODES, Exit, Signal};
pub(crate) use members::unsendable;
pub(crate) use report::Failure;
