//! The confirmation of a lead (double opt-in). Requirements for the link are in `hooks::double_opt_in`.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::times::moment;
use crate::steps::{leads, searched};

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

const WEBSITE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE, Capability::WEBSITES];

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
        Requirement::new(
            "leads.confirmation.not-required",
            "If the website has no double opt-in, the status of the confirmation is not_required.",
            &[
                Sentence("`not_required`: the website did not ask for it when the lead was captured."),
                Sentence("Whether a person has to confirm a lead by the signed link in the event `lead.captured`."),
            ],
            not_required,
        )
        .needs(WEBSITE),
    ]
}

async fn consistent(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("confirmation"));
    let lead = leads::captured(&context, &email, "Robin Confirmation", "is it confirmed").await?;
    agrees(&lead)
}

async fn not_required(context: Context, _: Value) -> Verdict {
    let website = searched::own_website(&context).await?;
    ensure_met(website["lead_form"]["double_opt_in"] == false, "the website has double opt-in or does not say")?;
    let email = format!("{}@example.com", context.fresh("unconfirmed"));
    let lead = leads::captured(&context, &email, "Robin Confirmation", "nothing to confirm").await?;
    ensure_met(!lead["confirmation"].is_null(), "the lead has no confirmation")?;
    demand::same("confirmation.status", &json!("not_required"), &lead["confirmation"]["status"])
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
