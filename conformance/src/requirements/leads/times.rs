//! The times of a lead are real, by the server's own clock.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::times::{date_of, near};
use crate::steps::{self, leads};

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "leads.times.real",
            "captured_at and consent.at of a lead are real times in UTC: within five minutes of the Date header of the first answer that shows them.",
            "RFC 9110, section 6.6.1; openapi.yaml, info.description, Conventions, and Lead",
            captured,
        )
        .needs(CAPTURE),
    ]
}

async fn captured(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("clock"));
    let lead = leads::captured(&context, &email, "Robin Clock", "what time is it").await?;
    let exchange = context.send(steps::get_lead(demand::text(&lead, "id")?)).await?;
    demand::status(&exchange, 200)?;
    let (lead, date) = (demand::json(&exchange)?, date_of(&exchange)?);
    near(lead, "captured_at", date)?;
    // Null where the form does not ask for consent.
    if lead["consent"]["at"].is_null() { Ok(()) } else { near(&lead["consent"], "at", date) }
}
