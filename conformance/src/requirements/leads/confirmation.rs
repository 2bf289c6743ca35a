//! The confirmation of a lead (double opt-in). Requirements for the link are in `hooks::double_opt_in`.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::leads;
use crate::steps::times::moment;

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.confirmation.consistent",
            "A lead has confirmed_at exactly if the status of its confirmation is confirmed, and it is never before captured_at.",
            &[
                Sentence("`confirmation.confirmed_at` is not null exactly if `confirmation.status` is `confirmed`."),
                Sentence("Null or absent if it was not."),
                Sentence("It is never before `captured_at`."),
            ],
            consistent,
        )
        .needs(CAPTURE),
    ]
}

async fn consistent(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("confirmation"));
    let lead = leads::captured(&context, &email, "Robin Confirmation", "is it confirmed").await?;
    agrees(&lead)
}

/// Demands that status and time of a lead's confirmation agree. A lead may have no confirmation.
pub(crate) fn agrees(lead: &Value) -> Verdict {
    let confirmation = &lead["confirmation"];
    if confirmation.is_null() {
        return Ok(());
    }
    let confirmed_at = &confirmation["confirmed_at"];
    if confirmation["status"] != "confirmed" {
        return ensure(confirmed_at.is_null(), "no confirmed_at while it is not confirmed", || demand::brief(lead));
    }
    let (captured, confirmed) = (moment(lead, "captured_at")?, moment(confirmation, "confirmed_at")?);
    ensure(confirmed >= captured, "confirmed_at no earlier than captured_at", || demand::brief(lead))
}
