//! Claims queued jobs, has their articles written and stores the outcome. How an article is written is in `assemble` and the
//! generators; which job may be claimed is the store's business.

mod claim_loop;
mod runner;
mod writing;
mod writing_slots;

pub use claim_loop::Worker;
