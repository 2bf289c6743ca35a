//! `cargo xtask document --against OLD` checks that a change of the API document keeps the policy in its chapter "Versioning". `cargo
//! trials evolve` checks that programs really keep working.

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
