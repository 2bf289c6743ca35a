//! Bodies that break the schema: every constraint negated alone.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::control;
use crate::steps::lists::POSTS;
use crate::steps::{self, lists};
use crate::strategies::{Draw, Space};

const ERRORS: &str = "openapi.yaml, Problem and FieldError; RFC 9457, section 3";

const PIPELINE: &[Capability] = &[Capability::PIPELINE];

/// One requirement for every breakage that a field code names.
macro_rules! negated {
    ($id:literal, $code:literal, $clause:literal) => {
        Requirement::must($id, $clause, ERRORS, refused_by_name).drawn(
            "each constraint of the request's schema negated alone",
            Cases::Listed(|space| space.breakages_named($code).len()),
            |space, draw| broken(space, draw, $code),
        )
    };
}

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        negated!(
            "generate.invalid.required",
            "required",
            "A body that lacks a required member is answered 422 with exactly one error: the pointer of that member and the code required."
        ),
        negated!(
            "generate.invalid.too-short",
            "too_short",
            "A text below its minimum length, trimmed where the schema says so, is answered 422 with code too_short."
        ),
        negated!(
            "generate.invalid.too-long",
            "too_long",
            "A text one code point above its maximum length is answered 422 with code too_long; code points are counted, not bytes."
        ),
        negated!(
            "generate.invalid.format",
            "invalid_format",
            "A wrong type, null, a fraction in place of an integer, a malformed value or a control character is answered 422 with code invalid_format."
        ),
        negated!(
            "generate.invalid.range",
            "out_of_range",
            "A number outside its bounds, or a time more than a year ahead, is answered 422 with code out_of_range."
        ),
        negated!(
            "generate.invalid.too-many",
            "too_many",
            "A list or map with too many entries is answered 422 with code too_many."
        ),
        Requirement::must(
            "generate.invalid.every-fault",
            "All schema violations of a body are reported in one response, up to 100.",
            ERRORS,
            every_fault,
        )
        .drawn("breakages of all members and of two, by turns", Cases::Searched, several),
        Requirement::must(
            "generate.invalid.nothing-queued",
            "A refused request queues nothing: no entry with its topic appears in the pipeline.",
            ERRORS,
            nothing_queued,
        )
        .needs(PIPELINE),
    ]
}

fn broken(space: &Space, draw: &mut Draw, code: &str) -> Value {
    let choices = space.breakages_named(code);
    let breakage = choices[draw.index() % choices.len()];
    let body = space.documented_request(draw);
    json!({
        "broken": breakage.name,
        "pointer": breakage.pointer,
        "code": breakage.code,
        "body": breakage.apply(&body),
    })
}

async fn refused_by_name(context: Context, case: Value) -> Verdict {
    let exchange = context.send(steps::generate(&case["body"])).await?;
    if exchange.succeeded() {
        steps::discard(&context, &exchange).await?;
    }
    demand::only_field_error(&exchange, demand::text(&case, "pointer")?, demand::text(&case, "code")?)?;
    control::ordered(&context).await
}

fn several(space: &Space, draw: &mut Draw) -> Value {
    if draw.index().is_multiple_of(2) { of_all(space, draw) } else { pair(space, draw) }
}

/// One breakage of every member at once.
fn of_all(space: &Space, draw: &mut Draw) -> Value {
    let properties: BTreeSet<&str> = space.breakages().iter().map(|breakage| breakage.property.as_str()).collect();
    let (mut names, mut pointers, mut body) = (Vec::new(), Vec::new(), space.documented_request(draw));
    for property in properties {
        let choices: Vec<_> = space.breakages().iter().filter(|breakage| breakage.property == property).collect();
        let breakage = choices[draw.below(choices.len())];
        names.push(&breakage.name);
        pointers.push(&breakage.pointer);
        body = breakage.apply(&body);
    }
    json!({ "broken": names, "pointers": pointers, "body": body })
}

fn pair(space: &Space, draw: &mut Draw) -> Value {
    let all = space.breakages();
    let first = &all[draw.below(all.len())];
    let others: Vec<_> = all.iter().filter(|other| other.property != first.property).collect();
    let second = others[draw.below(others.len())];
    let body = space.documented_request(draw);
    json!({
        "broken": [first.name, second.name],
        "pointers": [first.pointer, second.pointer],
        "body": second.apply(&first.apply(&body)),
    })
}

async fn every_fault(context: Context, case: Value) -> Verdict {
    let exchange = context.send(steps::generate(&case["body"])).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    let errors = demand::json(&exchange)?["errors"].as_array().cloned().unwrap_or_default();
    for pointer in case["pointers"].as_array().into_iter().flatten() {
        let named = errors.iter().any(|error| error["pointer"] == *pointer);
        ensure(named, format!("an entry in errors for {pointer}"), || Value::Array(errors.clone()).to_string())?;
    }
    control::ordered(&context).await
}

async fn nothing_queued(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("refused");
    let good = steps::quiet_request(&context, &marker);
    for (name, value) in [
        ("target_word_count", json!(1)),
        ("keywords", json!([""])),
        ("metadata", json!({ "a": 1 })),
        ("publish_at", json!("tomorrow")),
        ("website_id", json!("web_unknown_to_everyone")),
    ] {
        let mut body = good.clone();
        body[name] = value;
        demand::refusal(&*context.send(steps::generate(&body)).await?)?;
    }
    let truncated = good.to_string().trim_end_matches('}').to_owned();
    let mut request = steps::generate(&good);
    request.body = Some(truncated.into_bytes().into());
    demand::refusal(&*context.send(request).await?)?;
    let page = lists::page(&context, POSTS, "limit=100").await?;
    let rows = lists::rows(demand::json(&page)?);
    let found = rows.iter().find(|row| row["topic"] == marker.as_str());
    ensure(found.is_none(), "no pipeline entry of a refused request", || {
        found.map_or_else(String::new, demand::brief)
    })?;
    // The same without a flaw is accepted and shows there, so that its absence means something.
    let queued = context.send(steps::generate(&good)).await?;
    ensure_met(queued.succeeded(), format!("an order without a flaw was refused with {}", queued.status))?;
    let entries = lists::entries_of(&context, demand::text(demand::json(&queued)?, "job_id")?).await?;
    steps::discard(&context, &queued).await?;
    ensure_met(!entries.is_empty(), "an order without a flaw shows no entry in the pipeline either")
}
