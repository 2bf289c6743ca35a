//! The offline writer through its public door: orders in, checked articles out.

mod hostile_topics;
mod orders;
mod profiles;
mod topics;
