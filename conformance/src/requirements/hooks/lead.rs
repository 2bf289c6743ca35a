//! The hook about a captured lead: it comes, once, in time, and says what the API says.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, difference, ensure};
use crate::inbox::HookRequest;
use crate::requirements::leads::privacy::holds_no_visitor;
use crate::steps::draws::index_of;
use crate::steps::endpoints::{must_arrive, own, release};
use crate::steps::hooks::{first_mention, hook_due, lead_hook};
use crate::steps::payloads::event_of;
use crate::steps::{self, lead_form};

const SOURCE: &str = "service description, section 6";

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const FIELDS: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM, Capability::LEADS];

/// Further fields of the lead whose hook must be whole.
const FIELDS_TOLD: usize = 20;

const READ: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::LEADS];

const OWN: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION];

/// What a lead is, in a hook and in the API.
const LEAD_MEMBERS: [&str; 9] =
    ["id", "website_id", "article_id", "email", "name", "company", "phone", "message", "captured_at"];

const BELOW: [&str; 6] =
    ["/source/page_url", "/source/referrer", "/source/form_id", "/consent/given", "/consent/text", "/consent/at"];

/// Maps, whose labels are the sender's.
const MAPS: [&str; 2] = ["/fields", "/source/utm"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.lead.sent",
            "Capturing a lead sends a request to the registered URL that contains the lead.",
            SOURCE,
            lead_sent,
        )
        .core()
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.lead.burst",
            "Twenty leads captured at once cause twenty hooks, none missing.",
            SOURCE,
            burst,
        )
        .core()
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.lead.readable",
            "When a hook about a lead arrives, the lead can be read through the API.",
            "openapi.yaml, x-webhooks lead.captured",
            lead_readable,
        )
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.lead.every-field",
            "A hook whose body is under 20 KiB holds the whole lead, such as all of twenty fields.",
            "openapi.yaml, LeadCapturedData: left_out, x-limits hook_body_whole",
            every_field,
        )
        .drawn("fields that fill half of what is told whole", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("hook_body_whole", "maximum") / 2 / FIELDS_TOLD)
        })
        .needs(FIELDS)
        .background(),
        Requirement::must(
            "hooks.lead.one-event",
            "Repeats of a lead form that make no new lead cause no further hook.",
            "openapi.yaml, Lead: lead-once",
            one_event,
        )
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.lead.same-as-api",
            "A hook about a lead holds the lead as GET /leads/{lead_id} returns it.",
            "openapi.yaml, LeadCapturedData",
            same_as_api,
        )
        .needs(READ)
        .background(),
        Requirement::must(
            "hooks.lead.no-visitor",
            "The hook about a lead tells neither the IP address nor the user agent of the visitor, in the lead or beside it.",
            "openapi.yaml, LeadCapturedData and Lead",
            no_visitor,
        )
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.lead.same-everywhere",
            "id and timestamp of an event are the same in the hooks to every endpoint.",
            "openapi.yaml, LeadCapturedEvent",
            same_everywhere,
        )
        .needs(OWN)
        .background(),
        Requirement::must(
            "hooks.lead.text-survives",
            "Non-ASCII text, emoji, quotes and long text arrive in the hook exactly as they were captured.",
            SOURCE,
            text_survives,
        )
        .core()
        .needs(LEAD)
        .background(),
    ]
}

async fn lead_sent(context: Context, _: Value) -> Verdict {
    hook_due(&context, "Please call me").await.map(|_| ())
}

async fn burst(context: Context, _: Value) -> Verdict {
    const LEADS: usize = 20;
    let marker = context.fresh("burst");
    let emails: Vec<String> = (0..LEADS).map(|number| format!("{marker}-{number}-@example.com")).collect();
    let captures = emails.iter().map(|email| steps::capture(&context, email, "Robin Burst", "burst"));
    futures::future::try_join_all(captures).await?;
    let missing =
        |seen: &[HookRequest]| emails.iter().filter(|email| !seen.iter().any(|hook| hook.mentions(email))).count();
    let log = context.hooks()?;
    let limit = context.facts().ready_within;
    let seen = log.expect(limit, || log.mentioning(&marker), |seen| missing(seen) == 0).await;
    ensure(missing(&seen) == 0, format!("{LEADS} events for {LEADS} leads"), || format!("{} missing", missing(&seen)))
}

async fn lead_readable(context: Context, _: Value) -> Verdict {
    let (marker, hook) = lead_hook(&context, "readable at once").await?;
    let id = hook.json().unwrap_or_default()["data"]["lead"]["id"].as_str().unwrap_or_default().to_owned();
    let exchange = context.send(steps::get_lead(&id)).await?;
    demand::status(&exchange, 200)?;
    demand::same("email", &json!(format!("{marker}@example.com")), &demand::json(&exchange)?["email"])
}

async fn every_field(context: Context, length: Value) -> Verdict {
    let marker = context.fresh("fields");
    let text = |number: usize| format!("text {number:0>width$}", width = index_of(&length).saturating_sub(5));
    let fields: Value = (0..FIELDS_TOLD).map(|number| (format!("field_{number}"), json!(text(number)))).collect();
    let body = json!({ "email": format!("{marker}@example.com"), "fields": fields });
    let lead = lead_form::captured(&context, &marker, &body).await?;
    let hook = first_mention(&context, &marker).await?.json().unwrap_or_default();
    demand::same("fields in the hook", &lead["fields"], &hook["data"]["lead"]["fields"])?;
    demand::same("left_out", &Value::Null, &hook["data"]["left_out"])
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
    let seen = context.hooks()?.wait_for(&marker, context.quiet(), |seen| events(seen).len() > 1).await;
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

async fn no_visitor(context: Context, _: Value) -> Verdict {
    let (_, hook) = lead_hook(&context, "nobody's business").await?;
    holds_no_visitor(&context, &hook.json().unwrap_or_default())
}

async fn same_everywhere(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "everywhere").await?;
    let verdict = told_twice(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn told_twice(context: &Context, endpoint: &crate::inbox::Endpoint) -> Verdict {
    let (marker, main) = lead_hook(context, "for both").await?;
    let further = must_arrive(context, endpoint, &marker).await?;
    demand::same("webhook-id", &json!(main.header("webhook-id")), &json!(further.header("webhook-id")))?;
    let [one, other] = [&main, &further].map(|hook| hook.json().unwrap_or_default());
    for member in ["id", "timestamp"] {
        demand::same(member, &one[member], &other[member])?;
    }
    demand::same("the lead", &one["data"]["lead"], &other["data"]["lead"])
}

async fn text_survives(context: Context, _: Value) -> Verdict {
    let long = "lorem ".repeat(700);
    let message = format!(
        "\"quoted\" 'single' \\ back\u{1f469}\u{200d}\u{1f4bb} \u{5e9}\u{5dc}\u{5d5}\u{5dd} e\u{301} {long}end"
    );
    let (_, hook) = hook_due(&context, &message).await?;
    let body = hook.json().unwrap_or_default();
    let (place, nearest) = nearest(&body, &message);
    ensure(
        nearest == message,
        "the message as it was captured, somewhere in the payload",
        || match difference::of_texts(&message, nearest) {
            Some(told) if alike(nearest, &message) > 0 => format!("the text at {place} differs {told}"),
            _ => demand::brief(&body),
        },
    )
}

/// How many characters two texts share at their beginnings and ends.
fn alike(one: &str, other: &str) -> usize {
    let begin = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let end = one.chars().rev().zip(other.chars().rev()).take_while(|(one, other)| one == other).count();
    begin + end
}

/// The text of `value` that is most like `text`, with the JSON Pointer to it.
fn nearest<'value>(value: &'value Value, text: &str) -> (String, &'value str) {
    let further = |name: &str, below: &'value Value| {
        let (place, found) = nearest(below, text);
        (format!("/{}{place}", name.replace('~', "~0").replace('/', "~1")), found)
    };
    let found: Vec<(String, &str)> = match value {
        Value::String(found) => return (String::new(), found),
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| further(&at.to_string(), item)).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| further(name, member)).collect(),
        _ => Vec::new(),
    };
    found.into_iter().max_by_key(|(_, found)| (*found == text, alike(found, text))).unwrap_or_default()
}
