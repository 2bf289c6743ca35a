//! The OpenAPI document as the suite reads it: operations, schemas, the table of problems, projections.

mod document;
mod keyword;
mod operation;
mod profile;
mod schema;
mod sentences;
mod version;

pub(crate) use document::hexadecimal;
pub use document::{Document, ProblemKind, SpecError};
pub use operation::{AnswerHeader, Operation, Parameter};
pub use profile::Profile;
pub use schema::{Violated, draft4};
pub use sentences::{Sentence, sentences};
pub use version::Version;
