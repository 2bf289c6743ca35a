//! The format of a run's coverage, and how to fill it, with a reason for each gap.
//!
//! `crate::coverage` defines the parts and decides which are covered.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::coverage::{PartCoverage, PartKind, Side};
use crate::runner::{LeftOut, Outcome, Run};

/// Maximum number of requirements named for a part.
const NAMED: usize = 12;

/// Coverage of the document by a run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CoverageReport {
    /// Totals for each kind of part.
    pub totals: Vec<CoverageTotal>,
    /// All parts, in the order of the document.
    pub parts: Vec<PartReport>,
}

/// Coverage of the parts of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CoverageTotal {
    /// The kind.
    pub kind: PartKind,
    /// Number of covered parts.
    pub met: usize,
    /// Number of parts.
    pub total: usize,
}

/// One part of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PartReport {
    /// Kind of the part.
    pub kind: PartKind,
    /// The operation that it belongs to; absent for a problem code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Name, such as `404`, `query limit`, `body /topic maxLength` or `job_not_found`. The part for an operation itself
    /// has the operation's name.
    pub name: String,
    /// True if the part was covered. A keyword is covered if a value at its edge was sent and one beyond it.
    pub is_met: bool,
    /// Number of exchanges that covered it; for a keyword, with values at its edge and beyond it.
    pub exchanges: u64,
    /// At most 12 requirements whose cases covered it, those with the fewest needs first.
    pub met_by: Vec<String>,
    /// At most 12 requirements for values beyond a keyword's edge; `met_by` then lists those at its edge.
    pub beyond_by: Vec<String>,
    /// The reason why it was not covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// All kinds in display order.
const KINDS: [PartKind; 5] =
    [PartKind::Operation, PartKind::Parameter, PartKind::Status, PartKind::ProblemCode, PartKind::Keyword];

impl CoverageReport {
    /// Returns the coverage of a finished run.
    pub(super) fn of(run: &Run) -> Self {
        let mut parts = Vec::new();
        let mut rest = run.coverage.parts.iter().peekable();
        while let Some(one) = rest.next() {
            // The two sides of a keyword follow each other.
            let beyond = rest.next_if(|_| one.part.side == Some(Side::Edge));
            parts.push(part(run, one, beyond));
        }
        let totals = KINDS.map(|kind| {
            let of_kind = || parts.iter().filter(|part: &&PartReport| part.kind == kind);
            CoverageTotal { kind, met: of_kind().filter(|part| part.is_met).count(), total: of_kind().count() }
        });
        Self { totals: totals.into_iter().filter(|total| total.total > 0).collect(), parts }
    }

    /// Returns the totals as a list of words, such as `9 of 9 operations`.
    pub(super) fn sentence(&self) -> String {
        let words = self.totals.iter().map(|one| format!("{} of {} {}", one.met, one.total, plural(one.kind)));
        words.collect::<Vec<_>>().join(", ")
    }

    /// Returns the uncovered parts by their reason, the most frequent reason first.
    pub(super) fn gaps(&self) -> Vec<(&str, Vec<&PartReport>)> {
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

/// Returns the names of parts. Consecutive statuses of one operation share one name.
pub(super) fn names(parts: &[&PartReport]) -> Vec<String> {
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
    /// Returns its name with that of its operation.
    pub(super) fn whole_name(&self) -> String {
        match &self.operation {
            Some(operation) if self.kind != PartKind::Operation => format!("{operation} {}", self.name),
            _ => self.name.clone(),
        }
    }
}

/// Returns the plural word for a kind.
pub(super) const fn plural(kind: PartKind) -> &'static str {
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

/// Returns some of the requirements that covered it, those with the fewest needs first.
fn named(run: &Run, one: &PartCoverage) -> Vec<String> {
    let of = |id: &&'static str| run.results.iter().find(|result| result.requirement.id == *id);
    let mut results: Vec<_> = one.by.iter().filter_map(of).collect();
    results.sort_by_key(|result| (result.requirement.needs.len(), result.requirement.profile, result.requirement.id));
    results.into_iter().take(NAMED).map(|result| result.requirement.id.to_owned()).collect()
}

/// Outcome of the requirements that usually cover a part, the most significant last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    Profile,
    Shard,
    Selection,
    Skipped(String),
    Open(String),
    Ran(String),
}

/// Returns the reason why `gap` was not covered.
fn reason(run: &Run, gap: &PartCoverage) -> String {
    let why = |id: &String| match run.results.iter().find(|result| result.requirement.id == *id) {
        Some(result) => Some(match &result.outcome {
            Outcome::NotApplicable(reason) | Outcome::Skipped(reason) => Why::Skipped(reason.clone()),
            Outcome::Inconclusive(reason) => Why::Open(reason.clone()),
            _ => Why::Ran(id.clone()),
        }),
        None => run.left_out.get(id.as_str()).map(|left_out| match left_out {
            LeftOut::Profile => Why::Profile,
            LeftOut::Selection => Why::Selection,
            LeftOut::Shard => Why::Shard,
        }),
    };
    let is_sent = matches!(gap.part.kind, PartKind::Keyword | PartKind::Parameter);
    match gap.usually_by.iter().filter_map(why).max() {
        Some(Why::Ran(_)) if !is_sent => "no response of the target had it".to_owned(),
        Some(Why::Ran(id)) => format!("{id} ended before it sent it"),
        Some(Why::Open(reason) | Why::Skipped(reason)) => reason,
        Some(Why::Selection) => "left out by --only or --skip".to_owned(),
        Some(Why::Shard) => "in another part of the run (--shard)".to_owned(),
        Some(Why::Profile) => format!("not in the profile {}", run.profile),
        None => unreached(gap, is_sent),
    }
}

/// Returns the reason for a part that no requirement usually covers.
fn unreached(gap: &PartCoverage, is_sent: bool) -> String {
    let what = match gap.part.side {
        Some(Side::Edge) => "no requirement sends a value at its edge",
        Some(Side::Beyond) => "no requirement sends a value just beyond it",
        None if is_sent => "no requirement sends it",
        None => "no requirement causes it",
    };
    gap.unreachable.map_or_else(|| what.to_owned(), |why| format!("{what}: {why}"))
}

/// Data of the template.
pub(super) struct CoveragePage<'report> {
    pub(super) totals: Vec<Total>,
    /// Uncovered parts, by their reason.
    pub(super) gaps: Vec<Gap>,
    /// A row for each operation, and the problem codes below them.
    pub(super) rows: Vec<Row<'report>>,
    pub(super) codes: Vec<&'report PartReport>,
}

/// Coverage of the parts of one kind, with its percentage for a bar.
pub(super) struct Total {
    pub(super) kind: &'static str,
    pub(super) met: usize,
    pub(super) of: usize,
    pub(super) share: usize,
}

/// The parts that share one reason.
pub(super) struct Gap {
    pub(super) reason: String,
    pub(super) names: Vec<String>,
}

/// The parts of one operation.
pub(super) struct Row<'report> {
    pub(super) operation: &'report PartReport,
    pub(super) statuses: Vec<&'report PartReport>,
    pub(super) parameters: Vec<&'report PartReport>,
    pub(super) keywords: Vec<&'report PartReport>,
}

impl<'report> CoveragePage<'report> {
    pub(super) fn of(coverage: &'report CoverageReport, shown_as: impl Fn(&str) -> String) -> Self {
        let of_kind = |kind| coverage.parts.iter().filter(move |part: &&PartReport| part.kind == kind);
        let row = |operation: &'report PartReport| {
            let below = |kind| of_kind(kind).filter(|part| part.operation == operation.operation).collect();
            Row {
                statuses: below(PartKind::Status),
                parameters: below(PartKind::Parameter),
                keywords: below(PartKind::Keyword),
                operation,
            }
        };
        let gap = |(reason, parts): (&str, Vec<&PartReport>)| Gap { reason: shown_as(reason), names: names(&parts) };
        Self {
            totals: coverage.totals.iter().map(total).collect(),
            gaps: coverage.gaps().into_iter().map(gap).collect(),
            rows: of_kind(PartKind::Operation).map(row).collect(),
            codes: of_kind(PartKind::ProblemCode).collect(),
        }
    }
}

impl<'report> Row<'report> {
    /// Returns its cells with their headings.
    pub(super) fn cells(&self) -> [(&'static str, &[&'report PartReport]); 3] {
        [("Statuses", &self.statuses), ("Parameters", &self.parameters), ("Keywords", &self.keywords)]
    }
}

fn total(one: &CoverageTotal) -> Total {
    Total { kind: plural(one.kind), met: one.met, of: one.total, share: one.met * 100 / one.total.max(1) }
}
