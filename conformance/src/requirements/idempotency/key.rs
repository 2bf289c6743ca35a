//! Syntax of `Idempotency-Key`, and how keys differ.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{About as _, Cases, Context, Requirement, Source, Verdict, demand, ensure};
use crate::steps::draws::index_of;
use crate::steps::keyed::{first, keyed};
use crate::steps::{self, control};
use crate::strategies::Space;

/// The syntax of a key.
const SYNTAX: Source = Sentence(
    "The key has 1 to 255 visible ASCII characters on one header line, bare or as a quoted string (`k` and `\"k\"` are one \
     key), without parameters.",
);

/// The syntax of a key with special characters.
const QUOTED: Source = Sentence("A key with `\"`, `,`, `;` or `\\` must be quoted.");

/// The exception for headers that an HTTP library refuses.
const REFUSED_BEFORE_ROUTING: Source = Sentence(
    "If an HTTP library refuses a request before routing, because it is malformed or its headers are too large, the response may lack \
     the headers of this document and have any body.",
);

const PATTERN: Source = Part("/components/parameters/IdempotencyKey/schema/pattern");

/// Malformed keys.
const MALFORMED: [&str; 9] =
    ["two words", "a,b", "a;b", "a\\b", "a\"b", "\"\"", "\"two words\"", "\"a\\n\"", "\"a\" \"b\""];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "idempotency.key.quoted",
            "A key is the same with and without quotes: k and \"k\" are one key.",
            &[SYNTAX],
            quoted,
        ),
        Requirement::new(
            "idempotency.key.malformed",
            "A malformed key gets 400 invalid_header: over 255 characters, not visible ASCII, with parameters, or on two lines. An empty \
             one may count as no key.",
            &[
                SYNTAX,
                REFUSED_BEFORE_ROUTING,
                Sentence(
                    "The HTTP message, a header such as `Idempotency-Key`, or a body of `multipart/form-data` is malformed.",
                ),
            ],
            malformed,
        )
        .drawn("malformed keys", Cases::Exactly(7), |space, draw| malformed_key(space, draw.index())),
        Requirement::new(
            "idempotency.key.longest",
            "A key may have 255 characters, and each of them counts.",
            &[SYNTAX, Part("/x-limits/idempotency_key_length/maximum")],
            longest,
        )
        .drawn("the maximum length", Cases::Exactly(1), |space, _| json!(greatest(space))),
        Requirement::new(
            "idempotency.key.characters",
            "A key that does not match the pattern gets 400 invalid_header, such as a bare key with a space, a comma or a semicolon.",
            &[
                PATTERN,
                QUOTED,
                Sentence(
                    "The HTTP message, a header such as `Idempotency-Key`, or a body of `multipart/form-data` is malformed.",
                ),
            ],
            characters,
        )
        .drawn("malformed keys", Cases::Listed(|space| against_pattern(space).len()), |space, draw| {
            let all = against_pattern(space);
            json!(all[draw.index() % all.len()])
        }),
        Requirement::new(
            "idempotency.key.quoted-longest",
            "Quotes do not count towards the 255 characters of a key.",
            &[Sentence("Length of an idempotency key without quotes."), SYNTAX],
            quoted_longest,
        )
        .drawn("the maximum length", Cases::Exactly(1), |space, _| json!(greatest(space))),
        Requirement::new(
            "idempotency.key.ends",
            "Every key that matches the pattern is accepted: the shortest and the longest, bare or quoted, with escapes.",
            &[PATTERN, SYNTAX],
            ends,
        )
        .drawn("keys at the ends of the pattern", Cases::Exactly(1), |space, draw| {
            json!(space.keys_at_ends(draw))
        }),
        Requirement::new(
            "idempotency.keys.different-jobs",
            "Different keys make different jobs, even if they differ only in letter case.",
            &[Sentence("Key of this logical call."), Sentence("Letter case counts.")],
            different,
        ),
    ]
}

/// Returns the maximum length of a key.
fn greatest(space: &Space) -> usize {
    space.document().limit_number("idempotency_key_length", "maximum")
}

/// Returns malformed keys, including those that are just beyond a part of the pattern.
fn against_pattern(space: &Space) -> Vec<String> {
    MALFORMED.iter().map(ToString::to_string).chain(space.keys_beyond().to_vec()).collect()
}

async fn quoted(context: Context, _: Value) -> Verdict {
    let (body, key, first) = first(&context, "Oiling a hinge").await?;
    let again = context.send(keyed(&body, &format!("\"{key}\""))).await?;
    demand::success(&again)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])
}

/// Returns a malformed key, or `null` for two keys on two lines.
fn malformed_key(space: &Space, index: usize) -> Value {
    let least = space.document().limit_number("idempotency_key_length", "minimum");
    let too_short = "k".repeat(least.saturating_sub(1));
    let too_long = "k".repeat(greatest(space) + 1);
    let quoted = format!("\"{too_long}\"");
    let keys = [&*too_short, &too_long, &quoted, "k\u{e9}y", "\"unfinished", "\"key\";a=1"];
    keys.get(index % (keys.len() + 1)).map_or(Value::Null, |key| json!(key))
}

async fn malformed(context: Context, key: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Malformed key");
    let lines =
        key.as_str().map_or_else(|| vec![context.fresh("one"), context.fresh("two")], |key| vec![key.to_owned()]);
    let request = steps::generate(&body);
    let request = lines.into_iter().fold(request, |request, line| request.header("idempotency-key", line));
    let exchange = context.send(request).await?;
    if exchange.succeeded() {
        steps::discard(&context, &exchange).await?;
    }
    if key == "" && exchange.succeeded() {
        // An HTTP library may drop a header without a value.
        return Ok(());
    }
    let is_ascii = key.as_str().is_none_or(str::is_ascii);
    let is_of_library = !is_ascii && (exchange.body.is_empty() || exchange.header("x-request-id").is_none());
    if is_of_library {
        demand::status(&exchange, 400)?;
    } else {
        demand::problem(&exchange, 400, &["invalid_header"])?;
    }
    control::accepted(&context, keyed(&body, &context.fresh("right"))).await
}

async fn longest(context: Context, length: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Winding a clock");
    let unique = context.fresh("k");
    let length = index_of(&length);
    let long = format!("{unique}{}", "l".repeat(length.saturating_sub(unique.len())));
    let exchange = context.send(keyed(&body, &long)).await?;
    demand::status(&exchange, 202)?;
    let again = context.send(keyed(&body, &long)).await?;
    demand::same("job_id", &demand::json(&exchange)?["job_id"], &demand::json(&again)?["job_id"])?;
    let other = context.send(keyed(&body, &format!("{}m", &long[..long.len() - 1]))).await?;
    let jobs = [&exchange, &other].map(|exchange| exchange.json().map(|body| body["job_id"].clone()));
    ensure(jobs[0] != jobs[1], "another job for a key that differs in its last character", || demand::seen(&other))?;
    steps::discard(&context, &other).await?;
    steps::discard(&context, &exchange).await
}

async fn characters(context: Context, key: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Naming a call badly");
    let exchange = context.send(keyed(&body, key.as_str().unwrap_or_default())).await?;
    if exchange.succeeded() {
        steps::discard(&context, &exchange).await?;
    }
    demand::problem(&exchange, 400, &["invalid_header"])?;
    control::accepted(&context, keyed(&body, &context.fresh("right"))).await
}

async fn ends(context: Context, keys: Value) -> Verdict {
    // Every run sends this body, so a key from an earlier run makes a replay.
    let body = steps::quiet_request(&context, "Naming a call in every way");
    for key in keys.as_array().into_iter().flatten() {
        let exchange = context.send(keyed(&body, key.as_str().unwrap_or_default())).await?;
        // Another client may have used so short a key before. The mismatch shows that the key was accepted.
        if exchange.code() == Some("idempotency_mismatch") {
            continue;
        }
        demand::success(&exchange)?;
        steps::discard(&context, &exchange).await?;
    }
    Ok(())
}

async fn quoted_longest(context: Context, length: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Naming a call at length");
    let unique = context.fresh("q");
    let key = format!("{unique}{}", "q".repeat(index_of(&length).saturating_sub(unique.len())));
    let first = context.send(keyed(&body, &format!("\"{key}\""))).await?;
    demand::status(&first, 202)?;
    let again = context.send(keyed(&body, &key)).await?;
    demand::success(&again)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])?;
    steps::discard(&context, &first).await
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
