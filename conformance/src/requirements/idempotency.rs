//! `Idempotency-Key` on `POST /generate`: one key, one job.
//!
//! Keys of different accounts are in `isolation`.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::context::Context;
use super::demand;
use super::exchange::{Exchange, Request};
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{About, Halt, Verdict, ensure};
use crate::strategies::Draw;

const SOURCE: &str = "draft-ietf-httpapi-idempotency-key-header-07; openapi.yaml, IdempotencyKey";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("idempotency.replay.same-answer", "The same key with the same body answers with the first answer again: status, Location and body, with Idempotency-Replayed: true.", SOURCE, replay)
            .drawn("keys of visible ASCII", Cases::Divided(4), key),
        Requirement::must("idempotency.replay.parsed-body", "The fingerprint is taken of the parsed body: other white space and member order is the same request.", SOURCE, parsed_body),
        Requirement::must("idempotency.replay.fresh-headers", "A replay has a request id of its own, and the first answer is not marked as replayed.", SOURCE, fresh_headers),
        Requirement::must("idempotency.concurrent.one-job", "N concurrent identical requests with one key make one job; each answers with it or with 409 idempotency_in_flight.", SOURCE, concurrent)
            .drawn("2 to 16 at once", Cases::Divided(8), |_, draw| json!(draw.below(15) + 2)),
        Requirement::must("idempotency.keys.different-jobs", "Different keys, compared by case, make different jobs.", SOURCE, different),
        Requirement::must("idempotency.mismatch.refused", "A key that was used with another body is refused with 422 idempotency_mismatch.", SOURCE, mismatch)
            .drawn("bodies that differ in one member", Cases::Exactly(5), |_, draw| json!(draw.index())),
        Requirement::must("idempotency.key.quoted", "k and \"k\" are one key.", "RFC 8941, section 3.3.3; openapi.yaml, IdempotencyKey", quoted),
        Requirement::must("idempotency.key.malformed", "A malformed key is refused with 400 invalid_header: empty, over 255, not visible ASCII, with parameters, or in two lines.", SOURCE, malformed)
            .drawn("malformed keys", Cases::Exactly(7), |_, draw| json!(draw.index())),
        Requirement::must("idempotency.key.longest", "A key of 255 characters works, and all of them count.", SOURCE, longest),
        Requirement::must("idempotency.refused.not-stored", "Only successes are stored: a corrected repeat after a refusal works.", SOURCE, corrected)
            .drawn("refusals by the schema and for the website", Cases::Exactly(2), |_, draw| json!(["target_word_count", "website_id"][draw.index() % 2])),
        Requirement::must("idempotency.order.before-validation", "The key is checked after the JSON and before the schema.", SOURCE, before_validation),
    ]
}

fn key(_: &crate::strategies::Space, draw: &mut Draw) -> Value {
    json!(draw.value(&"[!#-+./0-:<-\\[\\]-~-]{1,60}"))
}

fn keyed(body: &Value, key: &str) -> Request {
    steps::generate(body).header("idempotency-key", key)
}

async fn first(context: &Context, topic: &str) -> Result<(Value, String, Arc<Exchange>), Halt> {
    let body = steps::quiet_request(context, topic);
    let key = context.fresh("key");
    let exchange = context.send(keyed(&body, &key)).await?;
    demand::success(&exchange)?;
    Ok((body, key, exchange))
}

async fn replay(context: Context, word: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Polishing silver");
    let key = format!("{}{}", word.as_str().unwrap_or("k"), context.fresh("-"));
    let first = context.send(keyed(&body, &key)).await?;
    demand::success(&first)?;
    for _ in 0..2 {
        let again = context.send(keyed(&body, &key)).await?;
        demand::status(&again, first.status)?;
        demand::same("the body", demand::json(&first)?, demand::json(&again)?)?;
        demand::same("Location", &json!(first.header("location")), &json!(again.header("location")))?;
        demand::same("Idempotency-Replayed", &json!("true"), &json!(again.header("idempotency-replayed")))?;
    }
    steps::discard(&context, &first).await
}

async fn parsed_body(context: Context, _: Value) -> Verdict {
    let (body, key, first) = first(&context, "Washing windows").await?;
    let members = body.as_object().cloned().unwrap_or_default();
    let reversed: Vec<String> =
        members.iter().rev().map(|(name, value)| format!("  {} :\n {value}", json!(name))).collect();
    let mut request = keyed(&body, &key);
    request.body = Some(format!("\n{{{}}}\t", reversed.join(" ,\n")).into());
    let again = context.send(request).await?;
    demand::status(&again, first.status)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])
}

async fn fresh_headers(context: Context, _: Value) -> Verdict {
    let (body, key, first) = first(&context, "Washing a car").await?;
    ensure(first.header("idempotency-replayed") != Some("true"), "a first answer not marked as replayed", || {
        demand::seen(&first)
    })?;
    let again = context.send(keyed(&body, &key)).await?;
    let ids = (demand::header(&first, "x-request-id")?, demand::header(&again, "x-request-id")?);
    ensure(ids.0 != ids.1, "two request ids", || ids.0.to_owned())
}

async fn concurrent(context: Context, count: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Sweeping a chimney");
    let key = context.fresh("key");
    let calls = (0..count.as_u64().unwrap_or(4)).map(|_| context.send(keyed(&body, &key)));
    let answers = futures::future::try_join_all(calls).await?;
    let mut jobs = BTreeSet::new();
    for exchange in &answers {
        if exchange.succeeded() {
            jobs.insert(demand::text(demand::json(exchange)?, "job_id")?.to_owned());
        } else {
            demand::problem(exchange, 409, &["idempotency_in_flight"])?;
            let wait = demand::header(exchange, "retry-after")?;
            ensure(wait.parse::<u64>().is_ok(), "whole seconds in Retry-After", || wait.to_owned()).about(exchange)?;
        }
    }
    ensure(jobs.len() == 1, "one job for one key", || format!("{} jobs", jobs.len()))?;
    let later = context.send(keyed(&body, &key)).await?;
    let job_id = demand::text(demand::json(&later)?, "job_id")?.to_owned();
    ensure(jobs.contains(&job_id), "the same job afterwards", || job_id.clone())?;
    steps::discard(&context, &later).await
}

async fn different(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Stacking firewood");
    let key = context.fresh("Key");
    let keys = [key.clone(), key.to_lowercase(), format!("{key}2")];
    let mut jobs = BTreeSet::new();
    let mut verdict = Ok(());
    for key in &keys {
        let exchange = context.send(keyed(&body, key)).await?;
        demand::success(&exchange)?;
        let job_id = demand::text(demand::json(&exchange)?, "job_id")?.to_owned();
        let is_new = jobs.insert(job_id.clone());
        let different = ensure(is_new, "three jobs for three keys", || format!("{job_id} again, for the key {key}"));
        verdict = verdict.and(different.about(&exchange));
        steps::discard(&context, &exchange).await?;
    }
    verdict
}

async fn mismatch(context: Context, case: Value) -> Verdict {
    let (body, key, _) = first(&context, "Painting a fence").await?;
    let changes = [
        ("topic", json!("Painting a fence ")),
        ("target_word_count", json!(201)),
        ("auto_publish", json!(true)),
        ("keywords", json!([])),
        ("unknown", json!(1)),
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % changes.len();
    let mut other = body;
    other[changes[index].0] = changes[index].1.clone();
    let exchange = context.send(keyed(&other, &key)).await?;
    demand::problem(&exchange, 422, &["idempotency_mismatch"])
}

async fn quoted(context: Context, _: Value) -> Verdict {
    let (body, key, first) = first(&context, "Oiling a hinge").await?;
    let again = context.send(keyed(&body, &format!("\"{key}\""))).await?;
    demand::success(&again)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])
}

async fn malformed(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Malformed key");
    let long = "k".repeat(256);
    let quoted_long = format!("\"{long}\"");
    let values = ["", &long, &quoted_long, "k\u{e9}y", "\"unfinished", "\"key\";a=1", "two words"];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % values.len();
    let mut request = steps::generate(&body);
    if index + 1 == values.len() {
        request = request.header("idempotency-key", context.fresh("one"));
        request = request.header("idempotency-key", context.fresh("two"));
    } else {
        request = request.header("idempotency-key", values[index]);
    }
    let exchange = context.send(request).await?;
    if exchange.succeeded() {
        steps::discard(&context, &exchange).await?;
    }
    demand::problem(&exchange, 400, &["invalid_header"])
}

async fn longest(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Winding a clock");
    let unique = context.fresh("k");
    let long = format!("{unique}{}", "l".repeat(255 - unique.len()));
    let exchange = context.send(keyed(&body, &long)).await?;
    demand::status(&exchange, 202)?;
    let again = context.send(keyed(&body, &long)).await?;
    demand::same("job_id", &demand::json(&exchange)?["job_id"], &demand::json(&again)?["job_id"])?;
    let other = context.send(keyed(&body, &format!("{}m", &long[..254]))).await?;
    let jobs = [&exchange, &other].map(|exchange| exchange.json().map(|body| body["job_id"].clone()));
    ensure(jobs[0] != jobs[1], "another job for a key that differs in its last character", || demand::seen(&other))?;
    steps::discard(&context, &other).await?;
    steps::discard(&context, &exchange).await
}

async fn corrected(context: Context, member: Value) -> Verdict {
    let key = context.fresh("key");
    let body = steps::quiet_request(&context, "Hanging a picture");
    let mut wrong = body.clone();
    match member.as_str() {
        Some("website_id") => wrong["website_id"] = json!("web_unknown_to_everyone"),
        _ => wrong["target_word_count"] = json!(1),
    }
    demand::refusal(&*context.send(keyed(&wrong, &key)).await?)?;
    let exchange = context.send(keyed(&body, &key)).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

async fn before_validation(context: Context, _: Value) -> Verdict {
    let (mut body, key, _) = first(&context, "Hanging a mirror").await?;
    body["target_word_count"] = json!(1);
    let exchange = context.send(keyed(&body, &key)).await?;
    demand::problem(&exchange, 422, &["idempotency_mismatch"])?;
    let mut request = keyed(&body, "\"unfinished");
    request.body = Some("{".into());
    demand::problem(&*context.send(request).await?, 400, &["invalid_json"])?;
    let exchange = context.send(keyed(&body, "\"unfinished")).await?;
    demand::problem(&exchange, 400, &["invalid_header"])
}
