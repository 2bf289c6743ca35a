//! The OpenAPI document as the suite reads it: operations, schemas, the table of problems, projections.
//!
//! What to send and what to demand of the answers does not live here.

mod document;
mod keyword;
mod operation;
mod problem;
mod profile;
mod projection;
mod schema;

pub(crate) use document::hexadecimal;
pub use document::{Document, SpecError};
pub use operation::{AnswerHeader, Operation, Parameter};
pub use problem::ProblemKind;
pub use profile::Profile;
pub use schema::{Violated, draft4};
