//! The writer that uses a language model, against endpoints with all common protocols.

mod command;
mod dialects;
mod hostile;
mod hostile_draft;
mod injection;
mod jobs;
mod oracle;
mod real_servers;
mod repairs;
mod stub;
mod troubles;
mod unsourced;
