//! The shape of a run's coverage, and filling it.
//!
//! What is a part and when it is met is decided in the crate's module `coverage`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::reason::reason;
use crate::coverage::{PartCoverage, PartKind, Side};
use crate::runner::Run;

/// How many of the requirements that met a part are named.
const NAMED: usize = 12;

/// How much of the document a run met.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CoverageReport {
    /// How many parts of each kind there are, and how many were met.
    pub totals: Vec<CoverageTotal>,
    /// Every part, in the order of the document.
    pub parts: Vec<PartReport>,
}

/// How many parts of one kind were met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CoverageTotal {
    /// The kind.
    pub kind: PartKind,
    /// How many were met.
    pub met: usize,
    /// How many there are.
    pub total: usize,
}

/// One part of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PartReport {
    /// What kind of part it is.
    pub kind: PartKind,
    /// The operation that it belongs to; none for a problem code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// What it is called, such as `404`, `query limit`, `body /topic maxLength` or `job_not_found`; the operation's own name for itself.
    pub name: String,
    /// Whether it was met. A keyword is, when a value at its edge was sent and one beyond it.
    pub is_met: bool,
    /// How many exchanges met it; of a keyword, those at its edge and beyond it.
    pub exchanges: u64,
    /// At most 12 requirements whose cases met it, those that need least first.
    pub met_by: Vec<String>,
    /// The same for values beyond a keyword's edge; `met_by` are then those at its edge.
    pub beyond_by: Vec<String>,
    /// Why it was not met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Every kind in the order in which people read them.
const KINDS: [PartKind; 5] =
    [PartKind::Operation, PartKind::Parameter, PartKind::Status, PartKind::ProblemCode, PartKind::Keyword];

impl CoverageReport {
    /// The coverage of a finished run.
    pub(in crate::report) fn of(run: &Run) -> Self {
        let mut parts = Vec::new();
        let mut rest = run.coverage.parts.iter().peekable();
        while let Some(one) = rest.next() {
            // The two sides of a keyword stand beside each other.
            let beyond = rest.next_if(|_| one.part.side == Some(Side::Edge));
            parts.push(part(run, one, beyond));
        }
        let totals = KINDS.map(|kind| {
            let of_kind = || parts.iter().filter(|part: &&PartReport| part.kind == kind);
            CoverageTotal { kind, met: of_kind().filter(|part| part.is_met).count(), total: of_kind().count() }
        });
        Self { totals: totals.into_iter().filter(|total| total.total > 0).collect(), parts }
    }

    /// The totals as a list of words, such as `9 of 9 operations`.
    pub(in crate::report) fn sentence(&self) -> String {
        let words = self.totals.iter().map(|one| format!("{} of {} {}", one.met, one.total, plural(one.kind)));
        words.collect::<Vec<_>>().join(", ")
    }

    /// The parts that were not met, by their reason, in the order of how many share it.
    pub(in crate::report) fn gaps(&self) -> Vec<(&str, Vec<&PartReport>)> {
        let mut groups: BTreeMap<&str, Vec<&PartReport>> = BTreeMap::new();
        for part in &self.parts {
            if let Some(reason) = &part.reason {
                groups.entry(reason).or_default().push(part);
            }
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, parts)| std::cmp::Reverse(parts.len()));
        groups
    }
}

/// The names of parts; statuses of one operation that follow each other are one of them.
pub(in crate::report) fn names(parts: &[&PartReport]) -> Vec<String> {
    let is_status_of_same = |one: &&PartReport, other: &&PartReport| {
        one.kind == PartKind::Status && other.kind == PartKind::Status && one.operation == other.operation
    };
    let together = |group: &[&PartReport]| {
        let (first, more) = group.split_first().expect("a group has one");
        more.iter().fold(first.whole_name(), |names, part| format!("{names}, {}", part.name))
    };
    parts.chunk_by(is_status_of_same).map(together).collect()
}

impl PartReport {
    /// Its name with that of its operation.
    pub(in crate::report) fn whole_name(&self) -> String {
        match &self.operation {
            Some(operation) if self.kind != PartKind::Operation => format!("{operation} {}", self.name),
            _ => self.name.clone(),
        }
    }
}

/// The word for several parts of a kind.
pub(in crate::report) const fn plural(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Operation => "operations",
        PartKind::Parameter => "parameters",
        PartKind::Status => "statuses",
        PartKind::ProblemCode => "problem codes",
        PartKind::Keyword => "keywords",
    }
}

fn part(run: &Run, one: &PartCoverage, beyond: Option<&PartCoverage>) -> PartReport {
    let is_met = |one: &PartCoverage| one.is_met;
    let gap = [Some(one), beyond].into_iter().flatten().find(|one| !is_met(one));
    let name = if one.part.kind == PartKind::Operation { one.part.operation.clone() } else { None };
    PartReport {
        kind: one.part.kind,
        operation: one.part.operation.clone(),
        name: name.unwrap_or_else(|| one.part.name.clone()),
        is_met: gap.is_none(),
        exchanges: one.exchanges + beyond.map_or(0, |beyond| beyond.exchanges),
        met_by: named(run, one),
        beyond_by: beyond.map(|beyond| named(run, beyond)).unwrap_or_default(),
        reason: gap.map(|gap| run.facts.secrets.mask(&reason(run, gap))),
    }
}

/// Some of the requirements that met it, those that need least first.
fn named(run: &Run, one: &PartCoverage) -> Vec<String> {
    let of = |id: &&'static str| run.results.iter().find(|result| result.requirement.id == *id);
    let mut results: Vec<_> = one.by.iter().filter_map(of).collect();
    results.sort_by_key(|result| (result.requirement.needs.len(), result.requirement.profile, result.requirement.id));
    results.into_iter().take(NAMED).map(|result| result.requirement.id.to_owned()).collect()
}
