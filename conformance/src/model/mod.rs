//! The contract as state machines, written from `openapi.yaml` alone. For each state and call they list all allowed responses, the states
//! after them, and the sentence that allows them.
//!
//! `job`, `key` and `lead` contain the rules. `explain` decides whether the responses of concurrent clients have an order that the rules allow.

mod diagram;
mod explain;
pub mod job;
pub mod key;
pub mod lead;
mod machine;

pub use diagram::diagram;
pub use explain::{Contradiction, Event, Explanation, MAX_EVENTS, explain};
pub use machine::{Allowed, Machine, reachable};
