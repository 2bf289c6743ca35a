//! The offline writer through its public door: briefs in, checked articles out.

mod briefs;
mod hostile_topics;
mod profiles;
mod topics;
