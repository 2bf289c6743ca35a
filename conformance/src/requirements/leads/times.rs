//! Times of a lead are correct by the server's own clock.

use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::times::{date_of, near};
use crate::steps::{self, leads};

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.times.real",
            "captured_at and consent.at of a new lead are the current time in UTC: within five minutes of the Date header of the first response that shows them.",
            &[
                Sentence("When the lead was captured."),
                Sentence("When the person agreed."),
                Sentence("Times in responses are RFC 3339 in UTC with milliseconds and `Z`, as in `2026-11-02T08:00:00.000Z`."),
                Standard("RFC 9110", "6.6.1"),
            ],
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
    // Null if the form does not ask for consent.
    if lead["consent"]["at"].is_null() { Ok(()) } else { near(&lead["consent"], "at", date) }
}
