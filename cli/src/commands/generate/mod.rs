//! `generate`: queues an article, and waits for it when asked to.

mod queue;
mod request;
mod topic;

pub(super) use queue::generate;
pub(super) use topic::topic;
