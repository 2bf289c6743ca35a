//! The offline writer through its public interface: briefs in, checked articles out.

pub(crate) mod briefs;
pub(crate) mod edited;
mod figures;
mod honest;
mod hostile_topics;
mod languages;
mod profiles;
mod samples;
mod topics;
