//! Bodies that break the schema: each constraint is broken alone.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Exchange, Requirement, Source, Verdict, demand, ensure, ensure_met};
use crate::steps::draws::index_of;
use crate::steps::lists::POSTS;
use crate::steps::{self, control, lists, pipeline};
use crate::strategies::{Draw, Space};

const ALL_VIOLATIONS: Source = Sentence("One response reports all schema violations of a body, up to 100.");

const POINTER: Source = Sentence("JSON Pointer of the field in the body, as a URI fragment.");

const ONCE_PER_CODE: Source = Sentence("Each field has at most one entry with the same code.");

const PIPELINE: &[Capability] = &[Capability::PIPELINE];

/// Makes a requirement for all breakages with this field code.
macro_rules! negated {
    ($id:literal, $code:literal, $clause:literal, $($source:expr),+) => {
        Requirement::new($id, $clause, &[$($source,)+ POINTER, ALL_VIOLATIONS, ONCE_PER_CODE], refused_by_name).drawn(
            "each constraint of the request's schema broken alone",
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
            "A body that lacks a required field is answered 422. All errors have the pointer of that field, and exactly one has the code required.",
            Sentence("`required`: the field is absent, or the consent is not given.")
        ),
        negated!(
            "generate.invalid.too-short",
            "too_short",
            "A text below its minimum length, trimmed where the schema says so, is answered 422 with code too_short.",
            Sentence("`too_short`, `too_long`: a string."),
            Sentence("Length of a topic without white space at both ends.")
        ),
        negated!(
            "generate.invalid.too-long",
            "too_long",
            "A text one code point above its maximum length is answered 422 with code too_long; code points are counted, not bytes, and so are spaces at the ends unless the schema says otherwise.",
            Sentence("`too_short`, `too_long`: a string."),
            Sentence("They are not trimmed.")
        ),
        negated!(
            "generate.invalid.format",
            "invalid_format",
            "A wrong type, null, a fraction in place of an integer, a malformed value or a control character is answered 422 with code invalid_format.",
            Sentence(
                "`invalid_format`: any other broken rule, such as a wrong type, null, a malformed e-mail address or time, or a value outside a vocabulary."
            )
        ),
        negated!(
            "generate.invalid.range",
            "out_of_range",
            "A number outside its bounds, or a time more than a year ahead, is answered 422 with code out_of_range.",
            Sentence("`out_of_range`: a number or a time.")
        ),
        negated!(
            "generate.invalid.too-many",
            "too_many",
            "A list or map with too many entries is answered 422 with code too_many.",
            Sentence("`too_many`: items or fields.")
        ),
        Requirement::new(
            "generate.invalid.every-fault",
            "One response reports all schema violations of a body, up to 100.",
            &[ALL_VIOLATIONS, Sentence("`errors` lists up to 100 violations."), POINTER],
            every_fault,
        )
        .drawn("breakages of all fields and of two, in turn", Cases::Searched, several),
        Requirement::new(
            "generate.invalid.every-item",
            "One response lists the violation of every item and label; of more than 100, exactly 100.",
            &[
                ALL_VIOLATIONS,
                Sentence("`errors` lists up to 100 violations."),
                Sentence("Entries of `errors` in a problem."),
                POINTER,
            ],
            every_item,
        )
        .drawn("the greatest number", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("problem_errors", "maximum"))
        }),
        Requirement::new(
            "generate.invalid.nothing-queued",
            "A refused request queues nothing: no scheduled post has its topic.",
            &[
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
                Sentence("The request is well-formed but invalid."),
                Sentence("The body is not a JSON object or a header is malformed."),
            ],
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

/// Returns a body in which every field is broken.
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

async fn every_item(context: Context, most: Value) -> Verdict {
    let most = index_of(&most);
    let mut body = steps::quiet_request(&context, "Breaking every item");
    body["keywords"] = json!(["", 7, ""]);
    let pointers: Vec<_> = (0..3).map(|item| format!("#/keywords/{item}")).collect();
    let exchange = steps::send_and_discard(&context, steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    for pointer in &pointers {
        let named = errors_of(&exchange).iter().any(|error| error["pointer"] == *pointer);
        ensure(named, format!("an entry in errors for {pointer}"), || json!(errors_of(&exchange)).to_string())?;
    }
    let labels = (0..most + most / 2).map(|number| (format!("label_{number}"), json!(number)));
    body["metadata"] = Value::Object(labels.collect());
    let exchange = steps::send_and_discard(&context, steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    demand::same("number of entries in errors", &json!(most), &json!(errors_of(&exchange).len()))?;
    control::ordered(&context).await
}

fn errors_of(exchange: &Exchange) -> Vec<Value> {
    exchange.json().and_then(|problem| problem["errors"].as_array()).cloned().unwrap_or_default()
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
    ensure(found.is_none(), "no scheduled post of a refused request", || {
        found.map_or_else(String::new, demand::brief)
    })?;
    // Control: the request without its fault is accepted and gets a scheduled post.
    let queued = context.send(steps::generate(&good)).await?;
    ensure_met(queued.succeeded(), format!("the request without its fault was refused with {}", queued.status))?;
    let entries = pipeline::entries_of(&context, demand::text(demand::json(&queued)?, "job_id")?).await?;
    steps::discard(&context, &queued).await?;
    ensure_met(!entries.is_empty(), "the request without its fault got no scheduled post either")
}
