//! Claims queued jobs, has their articles written and stores the outcome. `assemble` and the generators write articles; the store
//! decides which jobs can be claimed.

mod capacity;
mod claims;
mod runner;

pub use claims::Worker;
