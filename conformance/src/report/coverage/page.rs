//! The coverage section of `report.html`.

use super::model::{CoverageReport, CoverageTotal, PartReport, names, plural};
use crate::coverage::PartKind;

/// Data of the template.
pub(in crate::report) struct CoveragePage<'report> {
    pub(in crate::report) totals: Vec<Total>,
    /// Uncovered parts, by their reason.
    pub(in crate::report) gaps: Vec<Gap>,
    /// A row for each operation, and the problem codes below them.
    pub(in crate::report) rows: Vec<Row<'report>>,
    pub(in crate::report) codes: Vec<&'report PartReport>,
}

/// Coverage of the parts of one kind, with its percentage for a bar.
pub(in crate::report) struct Total {
    pub(in crate::report) kind: &'static str,
    pub(in crate::report) met: usize,
    pub(in crate::report) of: usize,
    pub(in crate::report) share: usize,
}

/// The parts that share one reason.
pub(in crate::report) struct Gap {
    pub(in crate::report) reason: String,
    pub(in crate::report) names: Vec<String>,
}

/// The parts of one operation.
pub(in crate::report) struct Row<'report> {
    pub(in crate::report) operation: &'report PartReport,
    pub(in crate::report) statuses: Vec<&'report PartReport>,
    pub(in crate::report) parameters: Vec<&'report PartReport>,
    pub(in crate::report) keywords: Vec<&'report PartReport>,
}

impl<'report> CoveragePage<'report> {
    pub(in crate::report) fn of(coverage: &'report CoverageReport, shown_as: impl Fn(&str) -> String) -> Self {
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
    pub(in crate::report) fn cells(&self) -> [(&'static str, &[&'report PartReport]); 3] {
        [("Statuses", &self.statuses), ("Parameters", &self.parameters), ("Keywords", &self.keywords)]
    }
}

fn total(one: &CoverageTotal) -> Total {
    Total { kind: plural(one.kind), met: one.met, of: one.total, share: one.met * 100 / one.total.max(1) }
}
