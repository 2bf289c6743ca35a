//! The parts of a document that a run can cover, and their coverage, with the requirements that usually cover each part in runs against
//! the reference server.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::constraint::Side;
use super::keywords::{self, Place};
use crate::spec::{Document, Operation};

/// Kind of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// An operation: covered by any request of it.
    Operation,
    /// A documented status of an operation: covered by a response with it.
    Status,
    /// A parameter: covered when it is sent.
    Parameter,
    /// A keyword of a schema that bounds requests: covered by a value at its edge and one beyond it.
    Keyword,
    /// A problem code: covered by any response with it.
    ProblemCode,
}

/// One part of a document. A keyword has two, one for each side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Kind of the part.
    pub kind: PartKind,
    /// The operation that it belongs to; absent for a problem code.
    pub operation: Option<String>,
    /// Its name within the operation; empty for the operation itself.
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

/// Returns every part of `document`: operations in document order, each followed by its parts, then problem codes.
pub(super) fn all(document: &Document) -> Vec<Part> {
    let mut parts = Vec::new();
    for operation in document.operations() {
        parts.push(Part::operation(operation));
        // `default` covers the statuses that are not listed.
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

/// Coverage of a document by a run.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// All parts, in the order of the document.
    pub parts: Vec<PartCoverage>,
}

/// Coverage of one part.
#[derive(Debug, Clone)]
pub struct PartCoverage {
    /// The part.
    pub part: Part,
    /// True if the run covered it.
    pub is_met: bool,
    /// Number of exchanges that covered it.
    pub exchanges: u64,
    /// The requirements whose cases covered it, in the order of ids.
    pub by: Vec<&'static str>,
    /// Requirements that cover it in a run against the reference server, those with the fewest needs first. May be empty.
    pub usually_by: Vec<String>,
    /// The reason why no requirement can cover it, if known.
    pub unreachable: Option<&'static str>,
}

impl Coverage {
    /// Adds the measured requirements, a line `part,requirements` for each part below a heading, and the reasons for unreachable parts.
    #[must_use]
    pub(crate) fn beside(mut self, measured: &str, unreachable: &dyn Fn(&Part) -> Option<&'static str>) -> Self {
        let lines = measured.lines().skip(1).filter_map(|line| line.split_once(','));
        let measured: BTreeMap<&str, &str> = lines.collect();
        for one in &mut self.parts {
            let names = measured.get(one.part.to_string().as_str()).copied().unwrap_or_default();
            one.usually_by = names.split_whitespace().map(ToOwned::to_owned).collect();
            one.unreachable = unreachable(&one.part);
        }
        self
    }
}
