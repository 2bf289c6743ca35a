//! The checks of the rules for receivers. Every check of a refusal sends the same event with a right signature afterwards: a receiver that
//! refuses everything has not shown that it verifies.

use std::sync::Arc;
use std::time::Duration;

use futures::future::{Either, join_all, select};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::sender::{Event, Sender};
use crate::check::signature::sign;
use crate::check::{About as _, Context, Exchange, Finding, Halt, Request, Verdict, demand, ensure, ensure_met};
use crate::steps::draws::index_of;

/// Headers that a webhook must have.
pub(super) const HEADERS: [&str; 3] = ["webhook-id", "webhook-timestamp", "webhook-signature"];
/// Distance of a time that is too old or too new, and of one that is near enough, in seconds.
pub(super) const FAR: i64 = 330;
pub(super) const NEAR: i64 = 200;
/// Size of a body that no sender of the service sends.
const MEGABYTE: usize = 1024 * 1024;
/// Deliveries of one event at the same time.
const AT_ONCE: usize = 4;
/// Time for the beginning of a body to arrive, for which a body stays incomplete, and after which an incomplete body is cut off.
const BEGINNING: Duration = Duration::from_millis(500);
const INCOMPLETE: Duration = Duration::from_secs(10);
const CUT_AFTER: Duration = Duration::from_secs(1);
/// Reason why rules about effects are not decided.
const NO_EFFECT: &str = "an event lead.captured that was accepted had no effect in time";
/// Field of an open vocabulary in the event of a type.
const WORDS: [(&str, &str); 3] = [
    ("lead.captured", "/data/lead/confirmation/status"),
    ("article.published", "/data/article/status"),
    ("job.failed", "/data/job/status"),
];
/// Signatures that are wrong.
pub(super) const FORGERIES: [&str; 12] = [
    "by another secret",
    "of another body",
    "of another id",
    "of another time",
    "of the body alone",
    "cut short",
    "with another letter",
    "of another version",
    "without a version",
    "in hexadecimal",
    "a version alone",
    "empty",
];

/// Checks the time of an answer.
pub(super) fn in_time(exchange: &Exchange, limit: Duration) -> Result<(), Finding> {
    if exchange.elapsed <= limit {
        return Ok(());
    }
    let observed = format!("{:.1} s for {}", exchange.elapsed.as_secs_f64(), exchange.line());
    Err(Finding::new(format!("an answer within {} s", limit.as_secs_f64()), observed))
}

/// Sends the event with a right signature, and demands a 2xx.
async fn accepted(sender: &Sender, context: &Context, event: &Event) -> Verdict {
    demand::success(&*processed(sender, context, event).await?)
}

/// Demands that the request is refused, and that the receiver accepts `event` afterwards.
async fn refused(sender: &Sender, context: &Context, request: Request, event: &Event) -> Verdict {
    let answer = context.send(request).await?;
    demand::refusal(&answer)?;
    let control = processed(sender, context, event).await?;
    ensure_met(
        control.succeeded(),
        format!("the receiver answered {} to the same event with a right signature, too", control.status),
    )
}

pub(super) async fn one_accepted(sender: Sender, context: Context, _: Value) -> Verdict {
    accepted(&sender, &context, &sender.lead(&context)).await
}

pub(super) async fn known_type(sender: Sender, context: Context, case: Value) -> Verdict {
    let event = Event::new(&sender.example(&context, case.as_str().unwrap_or_default()));
    accepted(&sender, &context, &event).await
}

/// Sends the event. A 503 decides nothing: a receiver may read what an event names before it accepts the event.
async fn processed(sender: &Sender, context: &Context, event: &Event) -> Result<Arc<Exchange>, Halt> {
    let answer = sender.send(context, event).await;
    let is_unavailable = match &answer {
        Ok(answer) => answer.status == 503,
        // A 503 without a body could be that of a gateway.
        Err(halt) => matches!(halt, Halt::Proxied(_)),
    };
    if is_unavailable {
        return Err(Halt::inconclusive(
            "the receiver answered 503: the objects in the events do not exist, so let it accept events without reading them",
        ));
    }
    answer
}

pub(super) async fn unknown_type(sender: Sender, context: Context, _: Value) -> Verdict {
    accepted(&sender, &context, &Event::new(&sender.example(&context, "website.renamed"))).await
}

pub(super) async fn unknown_fields(sender: Sender, context: Context, case: Value) -> Verdict {
    let mut event = sender.example(&context, case.as_str().unwrap_or_default());
    add_fields(&mut event);
    let plain = Event::new(&sender.example(&context, case.as_str().unwrap_or_default()));
    let plain = processed(&sender, &context, &plain).await?;
    ensure_met(plain.succeeded(), format!("the receiver answered {} to the event without them, too", plain.status))?;
    accepted(&sender, &context, &Event::new(&event)).await
}

/// Adds a field to every object, except to maps of a user's own labels.
fn add_fields(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                if !["fields", "metadata", "utm"].contains(&name.as_str()) {
                    add_fields(member);
                }
            }
            members.insert("later_field".to_owned(), json!({ "since": "another document" }));
        }
        Value::Array(items) => items.iter_mut().for_each(add_fields),
        _ => {}
    }
}

pub(super) async fn unknown_word(sender: Sender, context: Context, case: Value) -> Verdict {
    let (event_type, pointer) = WORDS[index_of(&case) % WORDS.len()];
    let plain = sender.example(&context, event_type);
    let mut event = sender.example(&context, event_type);
    // Only a lead that waits for confirmation has this address.
    if let Some(data) = event["data"].as_object_mut() {
        data.remove("confirmation_url");
    }
    match event.pointer_mut(pointer) {
        Some(word) => *word = json!("a_later_word"),
        None => return Err(Halt::Error(format!("the example of {event_type} has no {pointer}"))),
    }
    let control = processed(&sender, &context, &Event::new(&plain)).await?;
    ensure_met(control.succeeded(), format!("the receiver answered {} to a known word, too", control.status))?;
    accepted(&sender, &context, &Event::new(&event)).await
}

pub(super) async fn older(sender: Sender, context: Context, _: Value) -> Verdict {
    accepted(&sender, &context, &sender.lead(&context)).await?;
    let mut event = sender.example(&context, "lead.captured");
    event["timestamp"] = json!(Event::time(-3600));
    accepted(&sender, &context, &Event::new(&event)).await
}

pub(super) async fn repeated(sender: Sender, context: Context, _: Value) -> Verdict {
    let event = sender.lead(&context);
    accepted(&sender, &context, &event).await?;
    // Another attempt has another time.
    accepted(&sender, &context, &event.at(1)).await
}

pub(super) async fn one_effect(sender: Sender, context: Context, _: Value) -> Verdict {
    let event = sender.lead(&context);
    accepted(&sender, &context, &event).await?;
    let id = event.id.clone();
    accepted(&sender, &context, &event.at(1)).await?;
    has_one_effect(&sender, &context, &id).await
}

pub(super) async fn one_effect_at_once(sender: Sender, context: Context, _: Value) -> Verdict {
    let event = sender.lead(&context);
    let answers = join_all((0..AT_ONCE).map(|_| processed(&sender, &context, &event))).await;
    // A receiver may refuse an event that it is processing: the sender tries again.
    if !answers.iter().flatten().any(|answer| answer.succeeded()) {
        answers.into_iter().collect::<Result<Vec<_>, Halt>>()?;
        return Err(Halt::fail("a 2xx to one of four deliveries at once", "none"));
    }
    has_one_effect(&sender, &context, &event.id).await
}

/// Demands that the event has one effect. A receiver may take no notice of leads: without an effect this is not decided.
async fn has_one_effect(sender: &Sender, context: &Context, id: &str) -> Verdict {
    let count = sender.settled_effects(context, id).await?;
    ensure_met(count > 0, NO_EFFECT)?;
    ensure(count == 1, "one effect of the event", || count.to_string())
}

pub(super) async fn no_effect_unverified(sender: Sender, context: Context, _: Value) -> Verdict {
    let known = sender.lead(&context);
    accepted(&sender, &context, &known).await?;
    ensure_met(sender.settled_effects(&context, &known.id).await? > 0, NO_EFFECT)?;
    let event = sender.lead(&context);
    let forged = sign(b"another secret of 24 bytes or more", &event.id, &event.at, &event.body);
    demand::refusal(&*context.send(sender.request(&event, &forged)).await?)?;
    let before = sender.later_effects(&context, &event.id).await?;
    ensure(before == 0, "no effect of an event with a wrong signature", || before.to_string())?;
    accepted(&sender, &context, &event).await?;
    let after = sender.settled_effects(&context, &event.id).await?;
    ensure(after == 1, "one effect of the same event with a right signature", || after.to_string())
}

pub(super) async fn wrong(sender: Sender, context: Context, case: Value) -> Verdict {
    let event = sender.lead(&context);
    let right = sender.signature(&event);
    let other = Event { body: event.body.iter().copied().chain(*b" ").collect(), ..event.clone() };
    let another = Event { id: context.fresh("evt"), ..event.clone() };
    let signature = match case.as_str().unwrap_or_default() {
        "by another secret" => sign(b"another secret of 24 bytes or more", &event.id, &event.at, &event.body),
        "of another body" => sender.signature(&other),
        "of another id" => sender.signature(&another),
        "of another time" => sender.signature(&Event { at: format!("{}0", event.at), ..event.clone() }),
        "of the body alone" => sender.alone(&event.body),
        "cut short" => right[..right.len() / 2].to_owned(),
        "with another letter" => with_another_letter(&right),
        "of another version" => right.replacen("v1,", "v2,", 1),
        "without a version" => right.replacen("v1,", "", 1),
        "in hexadecimal" => sender.hexadecimal(&event),
        "a version alone" => "v1,".to_owned(),
        _ => String::new(),
    };
    refused(&sender, &context, sender.request(&event, &signature), &event).await
}

/// Changes the first letter of the base64.
fn with_another_letter(signature: &str) -> String {
    let (version, text) = signature.split_at("v1,".len());
    let first = if text.starts_with('A') { "B" } else { "A" };
    format!("{version}{first}{}", text.get(1..).unwrap_or_default())
}

pub(super) async fn missing(sender: Sender, context: Context, case: Value) -> Verdict {
    let event = sender.lead(&context);
    let mut request = sender.request(&event, &sender.signature(&event));
    request.headers.retain(|(name, _)| case != name.as_str());
    refused(&sender, &context, request, &event).await
}

pub(super) async fn rotated(sender: Sender, context: Context, case: Value) -> Verdict {
    let event = sender.lead(&context);
    let other = |key: &[u8]| sign(key, &event.id, &event.at, &event.body);
    let mut signatures: Vec<String> = (0..3_u8).map(|number| other(&[number; 32])).collect();
    let place = [0, signatures.len(), 1][index_of(&case) % 3];
    signatures.insert(place, sender.signature(&event));
    demand::success(&*context.send(sender.request(&event, &signatures.join(" "))).await?)
}

pub(super) async fn unknown_version(sender: Sender, context: Context, case: Value) -> Verdict {
    let event = sender.lead(&context);
    let right = sender.signature(&event);
    let version = case.as_str().unwrap_or_default();
    for signatures in [format!("{version},AAAA {right}"), format!("{right} {version},AAAA")] {
        demand::success(&*context.send(sender.request(&event, &signatures)).await?)?;
    }
    Ok(())
}

pub(super) async fn far(sender: Sender, context: Context, case: Value) -> Verdict {
    let now = sender.lead(&context);
    let event = now.clone().at(case.as_i64().unwrap_or_default());
    refused(&sender, &context, sender.request(&event, &sender.signature(&event)), &now).await
}

pub(super) async fn near(sender: Sender, context: Context, case: Value) -> Verdict {
    accepted(&sender, &context, &sender.lead(&context).at(case.as_i64().unwrap_or_default())).await
}

pub(super) async fn malformed_time(sender: Sender, context: Context, case: Value) -> Verdict {
    let now = sender.lead(&context);
    let at = ["now".to_owned(), String::new(), format!("{}000", now.at)][index_of(&case) % 3].clone();
    let event = Event { at, ..now.clone() };
    refused(&sender, &context, sender.request(&event, &sender.signature(&event)), &now).await
}

pub(super) async fn raw_bytes(sender: Sender, context: Context, case: Value) -> Verdict {
    let mut value = sender.example(&context, "lead.captured");
    value["data"]["lead"]["name"] = json!("Zo\u{eb} \u{c5}ngstr\u{f6}m \u{1f600}");
    let text = value.to_string();
    let body = match index_of(&case) {
        0 => format!("{value:#}"),
        1 => format!("\r\n {text}\n"),
        2 => text,
        _ => text.replace("\"lead.captured\"", "\"lead\\u002ecaptured\""),
    };
    let event = Event { body: body.into_bytes(), ..Event::new(&value) };
    accepted(&sender, &context, &event).await
}

/// Returns an event with a body of this many bytes.
fn padded(sender: &Sender, context: &Context, bytes: usize) -> Event {
    let mut value = sender.example(context, "lead.captured");
    value["later_field"] = json!("");
    let missing = bytes.saturating_sub(value.to_string().len());
    value["later_field"] = json!("x".repeat(missing));
    Event::new(&value)
}

pub(super) async fn largest(sender: Sender, context: Context, _: Value) -> Verdict {
    let bytes = context.document().limit_number("hook_body", "maximum");
    accepted(&sender, &context, &padded(&sender, &context, bytes)).await
}

pub(super) async fn megabyte(sender: Sender, context: Context, _: Value) -> Verdict {
    let event = padded(&sender, &context, MEGABYTE);
    // The next event comes on another connection: a receiver need not read this one to its end.
    let request = sender.request(&event, &sender.signature(&event)).header("connection", "close");
    match context.send(request).await {
        // A receiver may close the connection before it has read everything.
        Err(Halt::Fail(finding)) if finding.is_without_response() && !finding.is_timeout() => {}
        answer => drop(answer?),
    }
    accepted(&sender, &context, &sender.lead(&context)).await
}

/// Returns a whole request, with the names of its headers changed by `named`, that announces `length` bytes.
fn raw_request(sender: &Sender, event: &Event, length: usize, named: fn(&str) -> String) -> Vec<u8> {
    let signature = sender.signature(event);
    let mut head = format!("POST {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", sender.path(), sender.host());
    let fields = [
        (HEADERS[0], event.id.as_str()),
        (HEADERS[1], event.at.as_str()),
        (HEADERS[2], signature.as_str()),
        ("content-type", "application/json"),
        ("content-length", &length.to_string()),
    ]
    .map(|(name, value)| format!("{}: {value}\r\n", named(name)));
    head.extend(fields);
    head.push_str("\r\n");
    [head.as_bytes(), &event.body].concat()
}

pub(super) async fn spelling(sender: Sender, context: Context, _: Value) -> Verdict {
    let event = sender.lead(&context);
    let answers = context.raw(raw_request(&sender, &event, event.body.len(), str::to_uppercase), 1).await?;
    let status = answers.first().map_or(0, |answer| answer.status);
    ensure((200..300).contains(&status), "a 2xx to headers in capital letters", || status.to_string())
}

/// Sends a right event, and closes the connection before the last of the announced bytes.
async fn send_cut_off(sender: &Sender, context: &Context) -> Result<Event, Halt> {
    let event = sender.lead(context);
    let bytes = raw_request(sender, &event, event.body.len() + 1, str::to_owned);
    let answers = context.raw_within(bytes, 1, Some(CUT_AFTER)).await?;
    let is_refused = answers.first().is_none_or(|answer| !(200..300).contains(&answer.status));
    ensure(is_refused, "no 2xx to a body that ends early", || "2xx".to_owned())?;
    Ok(event)
}

pub(super) async fn cut_off(sender: Sender, context: Context, _: Value) -> Verdict {
    send_cut_off(&sender, &context).await?;
    accepted(&sender, &context, &sender.lead(&context)).await
}

pub(super) async fn no_effect_cut_off(sender: Sender, context: Context, _: Value) -> Verdict {
    let event = send_cut_off(&sender, &context).await?;
    let count = sender.later_effects(&context, &event.id).await?;
    ensure(count == 0, "no effect of a body that ends early", || count.to_string())?;
    accepted(&sender, &context, &event).await?;
    has_one_effect(&sender, &context, &event.id).await
}

pub(super) async fn slow(sender: Sender, context: Context, _: Value) -> Verdict {
    let (event, other) = (sender.lead(&context), sender.lead(&context));
    let bytes = raw_request(&sender, &event, event.body.len() + 1, str::to_owned);
    let begun = Instant::now();
    let incomplete = std::pin::pin!(context.raw_within(bytes, 1, Some(INCOMPLETE)));
    let meanwhile = std::pin::pin!(async {
        context.waiting(sleep(BEGINNING)).await;
        sender.send(&context, &other).await
    });
    match select(meanwhile, incomplete).await {
        Either::Left((answer, _)) => demand::success(&*answer?),
        Either::Right((answers, meanwhile)) => {
            let is_held = answers?.is_empty() && begun.elapsed() >= INCOMPLETE;
            ensure_met(is_held, "the receiver gave up the incomplete body before it answered another event")?;
            let answer = meanwhile.await?;
            Err(Halt::fail("an answer while another body is incomplete", "an answer only afterwards")).about(&answer)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use http::HeaderMap;

    #[test]
    fn an_answer_that_comes_too_late_is_a_finding() {
        let answered = |elapsed| {
            let request = Request::outside("POST", "/hooks");
            in_time(&Exchange::new(request, 204, HeaderMap::new(), Bytes::new(), elapsed), Duration::from_secs(15))
        };
        assert!(answered(Duration::from_secs(15)).is_ok());
        let finding = answered(Duration::from_millis(15_100)).unwrap_err();
        assert_eq!(finding.observed, "15.1 s for POST /hooks -> 204");
    }
}
