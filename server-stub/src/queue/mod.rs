//! The loop over leased work: jobs, scheduled posts, deliveries and file removals. A [`Consumer`] for each kind claims items, starts
//! their tasks, and releases unstarted items.

mod consumer;
mod lease;
#[cfg(test)]
mod tests;

pub(crate) use consumer::{Consumer, Next, POLL_INTERVAL, consume};
pub(crate) use lease::{retry, while_renewed};
