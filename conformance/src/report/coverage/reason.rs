//! Explains why a run did not cover a part of the document, from the outcomes of the requirements that usually do.

use crate::coverage::{PartCoverage, PartKind, Side};
use crate::runner::{LeftOut, Outcome, Run};

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
pub(super) fn reason(run: &Run, gap: &PartCoverage) -> String {
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
