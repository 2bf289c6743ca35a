//! Takes queued jobs, has their articles written and stores the outcome. How an article is written is in `assemble` and the
//! generators; which job may be taken is the store's business.

mod queue;
mod runner;

pub use queue::Worker;
