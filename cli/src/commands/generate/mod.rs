//! `generate`: queues an article, and waits for it if requested.

mod queue;
mod request;
mod topic;

pub(super) use queue::generate;
pub(super) use topic::topic;
