//! Webhooks about captured leads: when they are sent, and their contents.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::Source::{Fact, Part, Sentence};
use crate::check::{
    Capability, Cases, Context, Halt, Requirement, Source, Verdict, demand, difference, ensure, ensure_met,
};
use crate::inbox::HookRequest;
use crate::requirements::leads::privacy::holds_no_visitor;
use crate::spec::Profile;
use crate::steps::draws::index_of;
use crate::steps::endpoints::{must_arrive, own, release};
use crate::steps::hooks::{LEAD_CAPTURED, first_mention, hook_due, lead_hook, nameless_since, thin_payload};
use crate::steps::payloads::{event_of, has_type};
use crate::steps::{self, lead_form};
use crate::strategies::{Draw, Space, text};

const SENT: Source = Sentence("Sent in real time to every active endpoint that chose this type and this website.");

const LEAD_OF_EVENT: Source = Part("/components/schemas/LeadCapturedData/properties/lead");

const COMPLETE: Source = Sentence("Absent if the lead is complete.");

const SAME_ID: Source =
    Sentence("It is the same on every retry and at every endpoint, and equals the header `webhook-id`.");

const ONCE: Source = Sentence("Each lead has exactly one such event.");

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const FORM: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM];

const FIELDS: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM, Capability::LEADS];

/// Number of further fields of the lead whose webhook must be complete.
const FIELDS_TOLD: usize = 20;

/// Number of further fields of the lead whose webhook would be too large.
const FIELDS_LEFT_OUT: usize = 12;

/// Parts of a lead that a webhook may leave out, as JSON pointers, and further ones in `fields`.
const PARTS: [&str; 5] = ["/message", "/consent/text", "/source/page_url", "/source/referrer", "/source/form_id"];

const READ: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::LEADS];

const OWN: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION];

/// Number of characters that a text shares with the message at its beginning and end if it is the message with a change.
const RESEMBLING: usize = 16;

/// Fields of a lead that are the same in a webhook and in the API.
const LEAD_MEMBERS: [&str; 10] =
    ["id", "website_id", "article_id", "email", "name", "company", "phone", "phone_typed", "message", "captured_at"];

/// Nested fields of a lead, as JSON pointers.
const BELOW: [&str; 6] =
    ["/source/page_url", "/source/referrer", "/source/form_id", "/consent/given", "/consent/text", "/consent/at"];

/// Maps of a lead, with names that the form chose.
const MAPS: [&str; 2] = ["/fields", "/source/utm"];

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.lead.sent",
            "Capturing a lead sends a webhook with the lead to the registered endpoint. In core its payload may lack the \
            texts of the lead.",
            &[Fact("6"), SENT, LEAD_OF_EVENT],
            lead_sent,
        )
        .core()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.lead.burst",
            "Twenty leads captured at once cause twenty webhooks, none missing. In core their payloads may lack the texts \
            of the leads.",
            &[Fact("6"), SENT, ONCE],
            burst,
        )
        .core()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.lead.readable",
            "When a webhook about a lead arrives, the lead can be read through the API.",
            &[Sentence("When the event arrives, the API shows the lead.")],
            lead_readable,
        )
        .needs(READ)
        .background(),
        Requirement::new(
            "hooks.lead.every-field",
            "A webhook whose body is smaller than 20 KiB contains the whole lead, such as all of twenty fields.",
            &[
                Sentence("Number of parts of the lead that were left out because the body would exceed 20 KiB."),
                COMPLETE,
                Sentence("Size up to which an event is complete."),
                Part("/x-limits/hook_body_whole"),
            ],
            every_field,
        )
        .drawn("fields that fill half of a complete body", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("hook_body_whole", "maximum") / 2 / FIELDS_TOLD)
        })
        .needs(FIELDS)
        .background(),
        Requirement::new(
            "hooks.lead.left-out",
            "If a webhook does not contain a whole lead of more than 20 KiB, left_out is the number of missing parts. A \
            missing field that the schema requires is empty, any other is null or absent.",
            &[
                Sentence("Number of parts of the lead that were left out because the body would exceed 20 KiB."),
                Sentence("The message, the consent text, each field and each part of the source count as one."),
                Sentence("A required part is empty then, any other is null or absent."),
            ],
            left_out,
        )
        .drawn("fields that fill a complete body", Cases::Exactly(1), |space, _| {
            // JSON writes a quotation mark as two bytes.
            json!(space.document().limit_number("hook_body_whole", "maximum") / 2 / FIELDS_LEFT_OUT)
        })
        .needs(FIELDS)
        .background(),
        Requirement::new(
            "hooks.lead.one-event",
            "Repeated lead forms that make no new lead cause no further event.",
            &[
                Sentence(
                    "Forms with the same website, `form_id` and `email` (in any ASCII case) within ten minutes make \
                    one lead: the first.",
                ),
                ONCE,
                Sentence("A lead was captured."),
                SAME_ID,
            ],
            one_event,
        )
        .needs(FORM)
        .background(),
        Requirement::new(
            "hooks.lead.same-as-api",
            "A webhook about a lead contains the lead as GET /leads/{lead_id} returns it.",
            &[
                Sentence(
                    "`lead` has the values that the API shows when the event happens, except for parts that were left \
                    out.",
                ),
                Sentence("The lead that was captured."),
                COMPLETE,
            ],
            same_as_api,
        )
        .needs(READ)
        .background(),
        Requirement::new(
            "hooks.lead.no-visitor",
            "The webhook about a lead contains neither the IP address nor the user agent of the visitor.",
            &[
                Sentence("It contains neither the network address nor the user agent of the person."),
                Part("/components/schemas/LeadCapturedData/properties"),
            ],
            no_visitor,
        )
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.lead.same-everywhere",
            "All endpoints get an event with the same id, timestamp and lead.",
            &[SENT, Sentence("Id of the event."), Sentence("When the event happened."), SAME_ID],
            same_everywhere,
        )
        .needs(OWN)
        .background(),
        Requirement::new(
            "hooks.lead.text-survives",
            "The webhook contains the message exactly as the form sent it: non-ASCII text, emoji, quotes and long \
            text. In core it may contain no message.",
            &[Fact("6"), LEAD_OF_EVENT, Sentence("Message of the person, as sent.")],
            text_survives,
        )
        .drawn("a long message, and messages in many writing systems", Cases::Divided(16), message)
        .core()
        .should()
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
    let sent = Instant::now();
    let captures = emails.iter().map(|email| steps::capture(&context, email, "Robin Burst", "burst"));
    futures::future::try_join_all(captures).await?;
    let missing =
        |seen: &[HookRequest]| emails.iter().filter(|email| !seen.iter().any(|hook| hook.mentions(email))).count();
    let log = context.hooks()?;
    let limit = context.facts().ready_within;
    let seen = log.expect(limit, || log.mentioning(&marker), |seen| missing(seen) == 0).await;
    if seen.is_empty() {
        match nameless_since(&context, sent)?.len() {
            0 => {}
            further if further >= LEADS => return Ok(()),
            _ => return Err(thin_payload()),
        }
    }
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
    let hook = first_mention(&context, &marker, LEAD_CAPTURED).await?.json().unwrap_or_default();
    demand::same("fields in the webhook", &lead["fields"], &hook["data"]["lead"]["fields"])?;
    demand::same("left_out", &Value::Null, &hook["data"]["left_out"])
}

/// Sends quotation marks, which take one byte in a form.
async fn left_out(context: Context, length: Value) -> Verdict {
    let marker = context.fresh("left-out");
    let quotation_marks = "\"".repeat(index_of(&length));
    let texts = [
        ("email", format!("{marker}@example.com")),
        ("message", "Everything at once".to_owned()),
        ("page_url", "https://example.com/page".to_owned()),
        ("referrer", "https://example.com/".to_owned()),
        ("form_id", "footer".to_owned()),
        ("consent", "on".to_owned()),
        ("consent_text", "You may write to me.".to_owned()),
    ];
    let mut form: Vec<lead_form::Part> = texts.iter().map(|(name, text)| lead_form::Part::text(name, text)).collect();
    let field = |number: usize| lead_form::Part::text(&format!("field_{number}"), &quotation_marks);
    form.extend((0..FIELDS_LEFT_OUT).map(field));
    let lead = lead_form::captured_by(&context, &marker, lead_form::multipart(&context, &form)?).await?;
    let hook = first_mention(&context, &marker, LEAD_CAPTURED).await?.json().unwrap_or_default();
    demand::schema(&context, &hook, "LeadCapturedEvent")?;
    let (all, kept) = (parts(&lead), parts(&hook["data"]["lead"]));
    for (place, text) in &kept {
        demand::same(&format!("{place} in the webhook"), all.get(place).unwrap_or(&Value::Null), text)?;
    }
    ensure_met(kept.len() < all.len(), "the webhook contains the whole lead")?;
    demand::same("left_out", &json!(all.len() - kept.len()), &hook["data"]["left_out"])
}

/// Returns the parts of a lead that a webhook may leave out, and that it has.
fn parts(lead: &Value) -> BTreeMap<String, Value> {
    let single = PARTS.iter().map(|place| ((*place).to_owned(), lead.pointer(place).cloned().unwrap_or_default()));
    let fields = lead["fields"].as_object().into_iter().flatten();
    let fields = fields.map(|(name, text)| (format!("/fields/{name}"), text.clone()));
    single.chain(fields).filter(|(_, text)| !text.is_null()).collect()
}

async fn one_event(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("repeated");
    for _ in 0..3 {
        steps::capture(&context, &format!("{marker}@example.com"), "Robin Repeat", "once more").await?;
    }
    first_mention(&context, &marker, LEAD_CAPTURED).await?;
    // By now a webhook about a repeated form would at least be on its way.
    lead_hook(&context, "after the repeats").await?;
    let is_capture = |hook: &&HookRequest| has_type(hook, LEAD_CAPTURED);
    let events = |seen: &[HookRequest]| seen.iter().filter(is_capture).map(event_of).collect::<BTreeSet<_>>();
    let seen = context.hooks()?.wait_for(&marker, context.quiet(), |seen| events(seen).len() > 1).await;
    ensure(events(&seen).len() == 1, "one event for one lead", || format!("{} events", events(&seen).len()))
}

async fn same_as_api(context: Context, _: Value) -> Verdict {
    let (_, hook) = hook_due(&context, "as I wrote it \u{1f4ee}").await?;
    let body = hook.json().unwrap_or_default();
    let told = &body["data"]["lead"];
    if !body["data"]["left_out"].is_null() {
        return Err(Halt::inconclusive("parts of the lead were left out of the webhook"));
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
    let (_, hook) = lead_hook(&context, "who sent this").await?;
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
    demand::same("the lead", &steps::without_nulls(&one["data"]["lead"]), &steps::without_nulls(&other["data"]["lead"]))
}

/// Draws a long message with characters that servers often change, then messages in many writing systems.
fn message(_: &Space, draw: &mut Draw) -> Value {
    if draw.index() > 0 {
        // Another form than that of the document may trim the message.
        return json!(format!("Good morning, {}, thank you", draw.value(&text(1, 300))));
    }
    let long = "lorem ".repeat(700);
    json!(format!(
        "\"quoted\" 'single' \\ back\u{1f469}\u{200d}\u{1f4bb} \u{5e9}\u{5dc}\u{5d5}\u{5dd} e\u{301} {long}end"
    ))
}

async fn text_survives(context: Context, message: Value) -> Verdict {
    let message = message.as_str().unwrap_or_default();
    let (_, hook) = hook_due(&context, message).await?;
    let body = hook.json().unwrap_or_default();
    let (place, nearest) = nearest(&body, message);
    let is_like = alike(nearest, message) >= RESEMBLING;
    if !is_like && context.document().profile() == Profile::Core {
        return Err(Halt::inconclusive("no text in the payload resembles the message: the payload may be thin"));
    }
    ensure(nearest == message, "the captured message somewhere in the payload", || {
        match difference::of_texts(message, nearest) {
            Some(difference) if is_like => format!("the text at {place} differs {difference}"),
            _ => demand::brief(&body),
        }
    })
}

/// Returns the number of characters that two texts share at their beginnings and ends.
fn alike(one: &str, other: &str) -> usize {
    let begin = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let end = one.chars().rev().zip(other.chars().rev()).take_while(|(one, other)| one == other).count();
    begin + end
}

/// Returns the text in `value` that is most like `text`, with its JSON pointer.
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
