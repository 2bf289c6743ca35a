//! The oracle: derives the faults of a run from its evidence. It does no I/O and shares no code with the server.

mod hooks;
mod judge;
mod publications;
#[cfg(test)]
mod tests;
mod work;

pub(super) use judge::{Verdict, judge};
pub(super) use publications::{Publications, Pushes, StoredArticle, judge_publications};
