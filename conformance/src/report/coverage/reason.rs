//! Why a run did not meet a part of the document, from what became of the requirements that usually do.

use crate::coverage::{PartCoverage, PartKind, Side};
use crate::runner::{LeftOut, Outcome, Run};

/// What became of the requirements that usually meet a part, the most telling last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    Profile,
    Shard,
    Selection,
    Skipped(String),
    Open(String),
    Ran(String),
}

/// Why `gap` was not met.
pub(super) fn reason(run: &Run, gap: &PartCoverage) -> String {
    let why = |id: &String| match run.results.iter().find(|result| result.requirement.id == *id) {
        Some(result) => Some(match &result.outcome {
            Outcome::Skipped(reason) => Why::Skipped(reason.clone()),
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

/// Why a part is not met that no requirement usually meets.
fn unreached(gap: &PartCoverage, is_sent: bool) -> String {
    let what = match gap.part.side {
        Some(Side::Edge) => "no requirement sends a value at its edge",
        Some(Side::Beyond) => "no requirement sends a value just beyond it",
        None if is_sent => "no requirement sends it",
        None => "no requirement causes it",
    };
    gap.unreachable.map_or_else(|| what.to_owned(), |why| format!("{what}: {why}"))
}
