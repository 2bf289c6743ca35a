//! `cargo xtask document --against OLD`: whether a change of the API document keeps the policy that its chapter "Versioning" states.
//! Whether programs really go on working is tried by `cargo trials evolve`.

mod bounds;
mod change;
mod command;
mod comparison;
mod document;
mod guarantees;
mod kind;
mod members;
mod operation;
mod operations;
mod part;
mod responses;
mod schema;
mod tables;
#[cfg(test)]
mod tests;
mod unions;
mod values;

pub use change::{Addition, BreakingChange, Report};
pub use command::{Arguments, run};
pub use comparison::compare;
pub use document::Document;
pub use kind::{Kind, Rule};
