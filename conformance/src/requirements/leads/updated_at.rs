//! `updated_at` of a lead: the time of its last change. Confirmations are in `hooks::double_opt_in`.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::lists::List;
use crate::steps::times::moment;
use crate::steps::{leads, lists};

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.updated-at.new",
            "A lead that has not changed since it was captured has an updated_at equal to its captured_at.",
            &[Sentence("A lead that never changed has `updated_at` equal to `captured_at`.")],
            new,
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.updated-at.consistent",
            "updated_at of a lead is never before its captured_at, nor before the confirmed_at of its confirmation.",
            &[Sentence("`captured_at` ≤ `updated_at`, and `confirmation.confirmed_at` ≤ `updated_at`.")],
            consistent,
        )
        .needs(CAPTURE),
    ]
}

async fn new(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("unchanged"));
    let lead = leads::captured(&context, &email, "Robin Unchanged", "as ever").await?;
    let (captured, updated) = (moment(&lead, "captured_at")?, moment(&lead, "updated_at")?);
    ensure(updated == captured, "updated_at equal to captured_at", || demand::brief(&lead))
}

async fn consistent(context: Context, _: Value) -> Verdict {
    lists::ensure_rows(&context, List::named("/leads"), 1).await?;
    let page = lists::page(&context, List::named("/leads"), "limit=100").await?;
    let rows = lists::rows(demand::json(&page)?);
    ensure_met(!rows.is_empty(), "the list has no lead to check")?;
    rows.iter().try_for_each(ensure_consistent)
}

/// Demands that `updated_at` of a lead is not before its other times.
pub(crate) fn ensure_consistent(lead: &Value) -> Verdict {
    let updated = moment(lead, "updated_at")?;
    ensure(updated >= moment(lead, "captured_at")?, "updated_at not before captured_at", || demand::brief(lead))?;
    if lead["confirmation"]["confirmed_at"].is_null() {
        return Ok(());
    }
    let confirmed = moment(&lead["confirmation"], "confirmed_at")?;
    ensure(updated >= confirmed, "updated_at not before confirmed_at", || demand::brief(lead))
}
