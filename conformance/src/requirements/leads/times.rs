//! Times of a lead: of its capture, its last change and its confirmation. Confirmations are in `hooks::double_opt_in`.

use serde_json::{Value, json};

use crate::check::Source::{Sentence, Standard};
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::lists::List;
use crate::steps::times::{date_of, moment, near};
use crate::steps::{self, leads, lists};

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

const WEBSITE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE, Capability::WEBSITES];

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
            real_times,
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.updated-at.new",
            "A lead that has not changed since it was captured has an updated_at equal to its captured_at.",
            &[Sentence("A lead that never changed has `updated_at` equal to `captured_at`.")],
            never_changed,
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.updated-at.consistent",
            "updated_at of a lead is never before its captured_at, nor before the confirmed_at of its confirmation.",
            &[Sentence("`captured_at` ≤ `updated_at`, and `confirmation.confirmed_at` ≤ `updated_at`.")],
            updated_last,
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.confirmation.consistent",
            "A lead has confirmed_at exactly if the status of its confirmation is confirmed, and it is never before captured_at.",
            &[
                Sentence("`confirmation.confirmed_at` is not null exactly if `confirmation.status` is `confirmed`."),
                Sentence("Null or absent if it was not."),
                Sentence("It is never before `captured_at`."),
            ],
            confirmation_consistent,
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

async fn real_times(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("clock"));
    let lead = leads::captured(&context, &email, "Robin Clock", "what time is it").await?;
    let exchange = context.send(steps::get_lead(demand::text(&lead, "id")?)).await?;
    demand::status(&exchange, 200)?;
    let (lead, date) = (demand::json(&exchange)?, date_of(&exchange)?);
    near(lead, "captured_at", date)?;
    // Null if the form does not ask for consent.
    if lead["consent"]["at"].is_null() { Ok(()) } else { near(&lead["consent"], "at", date) }
}

async fn never_changed(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("unchanged"));
    let lead = leads::captured(&context, &email, "Robin Unchanged", "as ever").await?;
    let (captured, updated) = (moment(&lead, "captured_at")?, moment(&lead, "updated_at")?);
    ensure(updated == captured, "updated_at equal to captured_at", || demand::brief(&lead))
}

async fn updated_last(context: Context, _: Value) -> Verdict {
    lists::ensure_rows(&context, List::named("/leads"), 1).await?;
    let page = lists::page(&context, List::named("/leads"), "limit=100").await?;
    let rows = lists::rows(demand::json(&page)?);
    ensure_met(!rows.is_empty(), "the list has no lead to check")?;
    rows.iter().try_for_each(ensure_updated_last)
}

/// Demands that `updated_at` of a lead is not before its other times.
pub(crate) fn ensure_updated_last(lead: &Value) -> Verdict {
    let updated = moment(lead, "updated_at")?;
    ensure(updated >= moment(lead, "captured_at")?, "updated_at not before captured_at", || demand::brief(lead))?;
    if lead["confirmation"]["confirmed_at"].is_null() {
        return Ok(());
    }
    let confirmed = moment(&lead["confirmation"], "confirmed_at")?;
    ensure(updated >= confirmed, "updated_at not before confirmed_at", || demand::brief(lead))
}

async fn confirmation_consistent(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("confirmation"));
    let lead = leads::captured(&context, &email, "Robin Confirmation", "is it confirmed").await?;
    ensure_confirmation_agrees(&lead)
}

async fn not_required(context: Context, _: Value) -> Verdict {
    let website = lists::own_website(&context).await?;
    ensure_met(website["lead_form"]["double_opt_in"] == false, "the website has double opt-in or does not say")?;
    let email = format!("{}@example.com", context.fresh("unconfirmed"));
    let lead = leads::captured(&context, &email, "Robin Confirmation", "nothing to confirm").await?;
    ensure_met(!lead["confirmation"].is_null(), "the lead has no confirmation")?;
    demand::same("confirmation.status", &json!("not_required"), &lead["confirmation"]["status"])
}

/// Demands that status and time of a lead's confirmation agree. A lead may have no confirmation.
pub(crate) fn ensure_confirmation_agrees(lead: &Value) -> Verdict {
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
