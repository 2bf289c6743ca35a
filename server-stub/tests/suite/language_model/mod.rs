//! The writer that asks a language model, against endpoints that speak in all the ways in which endpoints do.

mod command;
mod dialects;
mod hostile;
mod hostile_draft;
mod injection;
mod jobs;
mod oracle;
mod repairs;
mod stub;
mod troubles;
mod unsourced;
