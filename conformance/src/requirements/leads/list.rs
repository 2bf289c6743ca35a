//! The order of the list of leads.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Halt, Requirement, Verdict, ensure};
use crate::steps::leads::captured;
use crate::steps::lists::List;
use crate::steps::times::{moment, written_at};
use crate::steps::{self, lists};

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.list.newest-first",
            "The list of leads is sorted by captured_at, newest first.",
            &[
                Sentence("Lists the captured leads, newest first by `captured_at`, then by `id`."),
                Sentence("A change does not move a lead."),
            ],
            newest_first,
        )
        .needs(CAPTURE),
    ]
}

async fn newest_first(context: Context, _: Value) -> Verdict {
    let older = format!("{}@example.com", context.fresh("older"));
    let newer = format!("{}@example.com", context.fresh("newer"));
    captured(&context, &older, "Robin", "older").await?;
    captured(&context, &newer, "Robin", "newer").await?;
    // Resubmitting a form returns the existing lead with its original `captured_at`.
    steps::capture(&context, &older, "Robin", "older").await?;
    let rows = lists::found(&context, List::named("/leads"), "limit=100", |_| true).await?;
    let times = rows.iter().map(|row| moment(row, "captured_at")).collect::<Result<Vec<_>, Halt>>()?;
    if times.is_empty() {
        return Err(Halt::inconclusive("the first pages of the list have no lead"));
    }
    ensure(times.is_sorted_by(|one, next| one >= next), "captured_at that never increases down the list", || {
        times.iter().map(|time| written_at(*time)).collect::<Vec<_>>().join(" ")
    })
}
