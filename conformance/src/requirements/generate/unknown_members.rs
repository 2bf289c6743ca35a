//! Fields that a request does not have, and fields that only the response has.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{About as _, Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps::{self, control};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::JOBS];

/// A time that no job of a run has.
const LONG_AGO: &str = "2001-02-03T04:05:06.789Z";

/// Fields of responses that a request cannot set.
const ANSWERED: [&str; 6] = ["job_id", "article_id", "scheduled_post_id", "created_at", "started_at", "finished_at"];

/// Forms of `handling=strict` in a header, as a regular expression. Other preferences have names that no server knows.
const STRICT: &str = "(x-[a-z]{1,6}(=\"[a-z]{0,6}, handling=lenient\")?, ?)?[Hh](andling|ANDLING) ?= ?(strict|\"strict\")\
                      ( ?; ?x-[a-z]{1,6}(=[0-9]{1,6})?)?(, ?x-[a-z]{1,6}=\"[ -!#-\\[\\]-~]{0,9}\")?";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.unknown-members.ignored",
            "Unknown fields of the request body are ignored, even if their values are nested 31 levels deep.",
            &[Sentence("In requests the service ignores unknown fields and unknown query parameters."), Part("/x-limits/json_depth/maximum")],
            unknown_ignored,
        )
        .drawn("unknown fields of every type and depth", Cases::Divided(4), unknown_member),
        Requirement::new(
            "generate.unknown-members.strict",
            "With Prefer: handling=strict an unknown field is answered 422 validation_failed with code unknown_field; with handling=lenient it is ignored.",
            &[
                Sentence("With `handling=strict` unknown fields of the body are refused with 422 `validation_failed`."),
                Sentence("With `Prefer: handling=strict` it refuses unknown fields with 422."),
                Sentence("`unknown_field`: only with `Prefer: handling=strict`."),
                Sentence("Each field has at most one entry with the same code."),
                Sentence("In requests the service ignores unknown fields and unknown query parameters."),
                Standard("RFC 7240", "4.4"),
            ],
            unknown_strict,
        ),
        Requirement::new(
            "generate.unknown-members.any-spelling",
            "handling=strict should count in every form of RFC 7240: in quotes, with parameters, beside other preferences, and in any letter case of its name.",
            &[
                Sentence("With `handling=strict` unknown fields of the body are refused with 422 `validation_failed`."),
                Sentence("A malformed or unknown preference is ignored."),
                Standard("RFC 7240", "2"),
                Standard("RFC 7240", "4.4"),
            ],
            any_spelling,
        )
        .should()
        .drawn("forms of a preference", Cases::Divided(16), |_, draw| json!(draw.value(&STRICT))),
        Requirement::new(
            "generate.unknown-members.not-taken-over",
            "Fields of the response, such as job_id or created_at, are ignored in a request: neither the 202 nor the job repeats them.",
            &[
                Sentence("In requests the service ignores unknown fields and unknown query parameters."),
                Part("/components/schemas/GenerateRequest/properties"),
                Sentence("`queued`."),
            ],
            not_taken_over,
        )
        .needs(JOBS),
    ]
}

fn unknown_member(_: &Space, draw: &mut Draw) -> Value {
    // The deepest comes first: few cases must test it too.
    let depth = 31 - draw.index() % 31;
    let mut deep = json!("x");
    for level in 0..depth {
        deep = if level % 2 == 0 { json!([deep]) } else { json!({ "y": deep }) };
    }
    let kinds = [deep, json!(null), json!(-0.5), json!(true), json!("text")];
    json!({ "extra": kinds[draw.index() % kinds.len()], "webhook_url": "https://example.com/" })
}

async fn unknown_ignored(context: Context, extra: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Waxing a wooden table");
    for (name, value) in extra.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    let exchange = context.send(steps::generate(&body)).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

async fn unknown_strict(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Waxing a wooden floor");
    body["colour"] = json!("green");
    let request = steps::generate(&body).header("prefer", "handling=strict");
    let exchange = context.send(request).await?;
    demand::only_field_error(&exchange, "#/colour", "unknown_field")?;
    let lenient = steps::generate(&body).header("prefer", "handling=lenient");
    let exchange = context.send(lenient).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

async fn any_spelling(context: Context, prefer: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Waxing a wooden spoon");
    body["colour"] = json!("green");
    let request = steps::generate(&body).header("prefer", prefer.as_str().unwrap_or_default());
    demand::only_field_error(&*context.send(request).await?, "#/colour", "unknown_field")?;
    control::ordered(&context).await
}

async fn not_taken_over(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Filling in somebody else's form");
    for member in ANSWERED {
        let is_time = member.ends_with("_at");
        body[member] = if is_time { json!(LONG_AGO) } else { json!(context.fresh("own")) };
    }
    body["status"] = json!("failed");
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?;
    let job = context.send(steps::get_job(job_id)).await?;
    steps::discard(&context, &queued).await?;
    // The job is read by the returned id. If that is the id that was sent, the first response already shows it.
    for exchange in [&queued, &job] {
        demand::success(exchange)?;
        let told = demand::json(exchange)?;
        for member in ANSWERED {
            let is_sent = told[member] == body[member] || is_long_ago(&told[member]);
            ensure(!is_sent, format!("a {member} that the server chose"), || demand::brief(&told[member]))
                .about(exchange)?;
        }
    }
    let status = &demand::json(&queued)?["status"];
    demand::same("status", &json!("queued"), status).about(&queued)
}

/// Returns true if the value is `LONG_AGO`, in any format and zone.
fn is_long_ago(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.starts_with("2001-02-0"))
}
