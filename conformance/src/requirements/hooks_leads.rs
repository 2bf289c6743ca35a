//! One lead, one event, told as the API tells it; and nobody else's events.
//!
//! What every hook holds is in `hooks_payload`, what is announced at all in `hooks_events`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::hook_log::HookRequest;
use super::requirement::Requirement;
use super::steps;
use super::steps_accounts;
use super::steps_capture;
use super::steps_endpoints::{QUIET, must_arrive, own, release};
use super::steps_hooks::{article_hook, first_mention, hook_due, lead_hook};
use super::verdict::{Halt, Verdict, ensure};

const LEAD: &[Capability] = &[Capability::Hooks, Capability::Capture];
const READ: &[Capability] = &[Capability::Hooks, Capability::Capture, Capability::Leads];
const OWN: &[Capability] = &[Capability::Hooks, Capability::Capture, Capability::HookRegistration];
const FORM: &[Capability] = &[Capability::Hooks, Capability::LeadForm];
const TWO: &[Capability] = &[Capability::Hooks, Capability::Jobs, Capability::Isolation];

/// What a lead is, in a hook and in the API.
const LEAD_MEMBERS: [&str; 9] =
    ["id", "website_id", "article_id", "email", "name", "company", "phone", "message", "captured_at"];
const BELOW: [&str; 6] =
    ["/source/page_url", "/source/referrer", "/source/form_id", "/consent/given", "/consent/text", "/consent/at"];
/// Maps, whose labels are the sender's.
const MAPS: [&str; 2] = ["/fields", "/source/utm"];

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "hooks.lead.one-event",
            "One lead for each website, form, e-mail and ten minutes: its repeats are no further event.",
            "openapi.yaml, Lead: lead-once",
            one_event,
        )
        .needs(LEAD),
        Requirement::must(
            "hooks.lead.same-as-api",
            "The hook holds the lead that was captured, as GET /leads/{lead_id} tells it.",
            "openapi.yaml, LeadCapturedData",
            same_as_api,
        )
        .needs(READ),
        Requirement::must(
            "hooks.lead.same-everywhere",
            "id names the event and timestamp tells when it happened: both are the same at every endpoint.",
            "openapi.yaml, LeadCapturedEvent",
            same_everywhere,
        )
        .needs(OWN),
        Requirement::must(
            "hooks.trap.silent",
            "Whoever fills `_hp` gets no lead: nothing happened that a hook could tell.",
            "openapi.yaml, x-capture, LeadCapture: _hp",
            trap,
        )
        .needs(FORM),
        Requirement::must(
            "hooks.isolation.own-only",
            "Hooks tell of the own account's articles only: another account's are as if they did not exist.",
            "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike",
            own_only,
        )
        .needs(TWO),
    ];
    all.into_iter().map(Requirement::background).collect()
}

/// The event that a hook is about.
pub(super) fn event_of(hook: &HookRequest) -> Option<String> {
    let in_body = || hook.json()?["id"].as_str().map(ToOwned::to_owned);
    hook.header("webhook-id").map(ToOwned::to_owned).or_else(in_body)
}

async fn one_event(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("repeated");
    for _ in 0..3 {
        steps::capture(&context, &format!("{marker}@example.com"), "Robin Repeat", "once more").await?;
    }
    first_mention(&context, &marker).await?;
    // Once a later lead's hook is here, a repeat's is on its way at the most.
    lead_hook(&context, "after the repeats").await?;
    let events = |seen: &[HookRequest]| seen.iter().map(event_of).collect::<BTreeSet<_>>();
    let seen = context.hooks()?.wait_for(&marker, QUIET, |seen| events(seen).len() > 1).await;
    ensure(events(&seen).len() == 1, "one event for one lead", || format!("{} events", events(&seen).len()))
}

async fn same_as_api(context: Context, _: Value) -> Verdict {
    let (_, hook) = hook_due(&context, "as it was captured \u{1f4ee}").await?;
    let body = hook.json().unwrap_or_default();
    let told = &body["data"]["lead"];
    if !body["data"]["left_out"].is_null() {
        return Err(Halt::inconclusive("the hook left a part of the lead out"));
    }
    let exchange = context.send(steps::get_lead(demand::text(told, "id")?)).await?;
    demand::status(&exchange, 200)?;
    let lead = demand::json(&exchange)?;
    for member in LEAD_MEMBERS {
        demand::same(member, &lead[member], &told[member])?;
    }
    let at = |value: &Value, place: &str| value.pointer(place).cloned().unwrap_or_default();
    for place in BELOW {
        demand::same(place, &at(lead, place), &at(told, place))?;
    }
    for place in MAPS {
        let texts = |value: &Value| {
            let mut map = at(value, place);
            map.as_object_mut().into_iter().for_each(|map| map.retain(|_, text| text.is_string()));
            if map.is_null() { json!({}) } else { map }
        };
        demand::same(place, &texts(lead), &texts(told))?;
    }
    Ok(())
}

async fn same_everywhere(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "everywhere").await?;
    let verdict = told_twice(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn told_twice(context: &Context, endpoint: &super::hook_endpoints::Endpoint) -> Verdict {
    let (marker, main) = lead_hook(context, "for both").await?;
    let further = must_arrive(context, endpoint, &marker).await?;
    demand::same("webhook-id", &json!(main.header("webhook-id")), &json!(further.header("webhook-id")))?;
    let [one, other] = [&main, &further].map(|hook| hook.json().unwrap_or_default());
    for member in ["id", "timestamp"] {
        demand::same(member, &one[member], &other[member])?;
    }
    demand::same("the lead", &one["data"]["lead"], &other["data"]["lead"])
}

async fn trap(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("robot");
    steps_capture::taken(&context, &json!({ "email": format!("{marker}@example.com"), "_hp": "x" })).await?;
    let later = context.fresh("person");
    steps_capture::taken(&context, &json!({ "email": format!("{later}@example.com") })).await?;
    first_mention(&context, &later).await?;
    let hooks = context.hooks()?.wait_for(&marker, QUIET, |seen| !seen.is_empty()).await;
    ensure(hooks.is_empty(), "no hook about what is no lead", || format!("{} of them", hooks.len()))
}

async fn own_only(context: Context, _: Value) -> Verdict {
    let job = steps_accounts::published_by_other(&context, "Reading a barograph").await?;
    article_hook(&context).await?;
    let website_id = context.facts().other_website_id.clone().unwrap_or_default();
    for foreign in [demand::text(&job, "job_id")?, demand::text(&job, "article_id")?, &website_id] {
        let log = context.hooks()?;
        let seen = log.wait_for(foreign, QUIET / 2, |seen| !seen.is_empty()).await;
        ensure(seen.is_empty(), format!("no hook about the other account's {foreign}"), || {
            demand::beginning(&seen[0].body)
        })?;
    }
    Ok(())
}
