//! Members that the request does not have, and those that only the answer has.

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::control;
use crate::strategies::{Draw, Space};

const GENERATE: &str = "openapi.yaml, generate";

const JOBS: &[Capability] = &[Capability::JOBS];

/// A time that no job of a run has.
const LONG_AGO: &str = "2001-02-03T04:05:06.789Z";

/// Members of the answers that a request has no say in.
const ANSWERED: [&str; 6] = ["job_id", "article_id", "scheduled_post_id", "created_at", "started_at", "finished_at"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.unknown-members.ignored",
            "Unknown members of the request body are ignored, even if they are nested 32 levels deep.",
            GENERATE,
            unknown_ignored,
        )
        .drawn("unknown members of every type and depth", Cases::Divided(4), unknown_member),
        Requirement::must(
            "generate.unknown-members.strict",
            "With Prefer: handling=strict an unknown member is answered 422 validation_failed with code unknown_field.",
            "RFC 7240, section 4.4; openapi.yaml, generate",
            unknown_strict,
        ),
        Requirement::must(
            "generate.unknown-members.not-taken-over",
            "Members of the answer, such as job_id or created_at, are ignored in a request: neither the 202 nor the job repeats them.",
            "openapi.yaml, info.description, Conventions, and GenerateRequest",
            not_taken_over,
        )
        .needs(JOBS),
        Requirement::must(
            "generate.unknown-members.strict-quoted",
            "Prefer: handling=\"strict\", in quotes, means the same as without: an unknown member is answered 422.",
            "RFC 7240, section 2; openapi.yaml, Prefer",
            strict_quoted,
        )
        // The RFC lets every value stand in quotes, while its grammar of this very preference shows bare words only.
        .should(),
    ]
}

fn unknown_member(_: &Space, draw: &mut Draw) -> Value {
    // The deepest first: few cases must see it too.
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
    // Read under the id that was told: if that is the one that was sent, the first answer shows it.
    for exchange in [&queued, &job] {
        demand::success(exchange)?;
        let told = demand::json(exchange)?;
        for member in ANSWERED {
            let is_sent = told[member] == body[member] || is_long_ago(&told[member]);
            ensure(!is_sent, format!("a {member} of the server's own"), || demand::brief(&told[member]))
                .about(exchange)?;
        }
    }
    let status = &demand::json(&queued)?["status"];
    demand::same("status", &json!("queued"), status).about(&queued)
}

/// However a time is written, its year tells.
fn is_long_ago(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.starts_with("2001-02-0"))
}

async fn strict_quoted(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Waxing a wooden shelf");
    body["colour"] = json!("green");
    let exchange = context.send(steps::generate(&body).header("prefer", "handling=\"strict\"")).await?;
    if exchange.succeeded() {
        steps::discard(&context, &exchange).await?;
    }
    demand::only_field_error(&exchange, "#/colour", "unknown_field")?;
    control::accepted(&context, steps::generate(&body)).await
}
