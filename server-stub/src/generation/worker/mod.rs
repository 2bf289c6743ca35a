//! Claims queued jobs, has their articles written and stores the outcome. `assemble` and the generators write articles; the store
//! decides which jobs can be claimed.

mod claim_loop;
mod runner;
mod writing;
mod writing_slots;

pub use claim_loop::Worker;
