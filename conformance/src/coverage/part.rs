//! The parts of a document that a run can meet.
//!
//! Where keywords stand is read in `keywords`.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::keywords::{self, Place};
use crate::spec::{Document, Operation};

/// What kind of part it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// An operation: met when any request belonged to it.
    Operation,
    /// A documented status of an operation: met when it was answered.
    Status,
    /// A parameter: met when it was sent.
    Parameter,
    /// A keyword of a schema that bounds what is sent: met when a value at its edge was sent and one beyond it.
    Keyword,
    /// A problem code: met when any answer carried it.
    ProblemCode,
}

/// Which side of a keyword a value lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The last value that it allows, or any value where it has no order.
    Edge,
    /// The first value that it forbids.
    Beyond,
}

/// One part of a document; a keyword has two, one for each side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What kind of part it is.
    pub kind: PartKind,
    /// The operation that it belongs to; none for a problem code.
    pub operation: Option<String>,
    /// What it is called inside of its operation; empty for the operation itself.
    pub name: String,
    /// The side of a keyword.
    pub side: Option<Side>,
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Some(Side::Edge) => "edge",
            Some(Side::Beyond) => "beyond",
            None => "",
        };
        let operation = self.operation.as_deref().unwrap_or_default();
        let words = [operation, self.name.as_str(), side].into_iter().filter(|word| !word.is_empty());
        formatter.write_str(&words.collect::<Vec<_>>().join(" "))
    }
}

impl Part {
    fn of(operation: &Operation, kind: PartKind, name: String) -> Self {
        Self { kind, operation: Some(operation.id.to_owned()), name, side: None }
    }

    pub(super) fn operation(operation: &Operation) -> Self {
        Self::of(operation, PartKind::Operation, String::new())
    }

    pub(super) fn status(operation: &Operation, status: &str) -> Self {
        Self::of(operation, PartKind::Status, status.to_owned())
    }

    pub(super) fn parameter(operation: &Operation, location: &str, name: &str) -> Self {
        Self::of(operation, PartKind::Parameter, format!("{location} {name}"))
    }

    pub(super) fn keyword(operation: &Operation, place: &Place, keyword: &str, side: Side) -> Self {
        Self { side: Some(side), ..Self::of(operation, PartKind::Keyword, format!("{place} {keyword}")) }
    }

    pub(super) fn problem(code: &str) -> Self {
        Self { kind: PartKind::ProblemCode, operation: None, name: code.to_owned(), side: None }
    }
}

/// Every part of `document`: operations in its order, each followed by what belongs to it, problem codes at the end.
pub(super) fn all(document: &Document) -> Vec<Part> {
    let mut parts = Vec::new();
    for operation in document.operations() {
        parts.push(Part::operation(operation));
        // `default` stands for what is not listed.
        let statuses = operation.answers.iter().map(|(status, _)| status).filter(|status| *status != "default");
        parts.extend(statuses.map(|status| Part::status(operation, status)));
        let parameters = operation.parameters.iter();
        parts.extend(parameters.map(|parameter| Part::parameter(operation, &parameter.location, &parameter.name)));
        for bounded in keywords::of(document, operation) {
            for side in [Side::Edge, Side::Beyond] {
                parts.push(Part::keyword(operation, &bounded.place, &bounded.keyword, side));
            }
        }
    }
    parts.extend(document.problems().keys().map(|code| Part::problem(code)));
    parts
}
