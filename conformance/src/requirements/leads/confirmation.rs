//! What a lead says of its confirmation (double opt-in). Following the link is in `hooks::double_opt_in`.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::leads;
use crate::steps::times::moment;

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "leads.confirmation.consistent",
            "confirmed_at of a lead is a time exactly where its confirmation is confirmed, and never before captured_at.",
            "openapi.yaml, Lead: lead-confirmation",
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

/// Whether state and time of a lead's confirmation fit. A server may know no confirmation.
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
