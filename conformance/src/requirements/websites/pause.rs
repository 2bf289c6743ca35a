//! What a pause does to a website, and that it goes on afterwards.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{Capability, Context, Halt, PauseTurn, Requirement, Verdict, demand, ensure};
use crate::steps::cancelled::longest;
use crate::steps::job_details::agrees;
use crate::steps::lead_form::{request, settle};
use crate::steps::lists::List;
use crate::steps::pausing::{
    end, is_really_paused, is_taken_while_active, listed_status, order, pause, resume, taken_while_active, turn,
    website_id,
};
use crate::steps::{self, keyed, lists};

const INACTIVE: &str = "openapi.yaml, x-problem-codes, website_inactive";

const PAUSING: &[Capability] = &[Capability::PAUSING, Capability::JOBS];

const LISTED: &[Capability] = &[Capability::PAUSING, Capability::JOBS, Capability::WEBSITES];

const FORM: &[Capability] = &[Capability::PAUSING, Capability::LEADS, Capability::LEAD_FORM];

/// Orders that wait in the queue, or are written, while the website is paused.
const QUEUED: usize = 4;

/// How long the website stays paused while they wait.
const PAUSED_FOR: Duration = Duration::from_millis(500);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "websites.pause.orders",
            "A website that is paused takes no orders from then on: 403 website_inactive. Once it goes on, it takes them again.",
            INACTIVE,
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = orders(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(PAUSING),
        Requirement::must(
            "websites.pause.listed",
            "The list of websites tells that a website is paused as long as it is, and that it is active again.",
            "openapi.yaml, WebsiteStatus",
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = listed(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(LISTED),
        Requirement::must(
            "websites.pause.replay",
            "Idempotency is checked before the website: the first answer is repeated also when the website was paused since.",
            "openapi.yaml, info.description, Errors and Idempotency",
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = replay(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(PAUSING),
        Requirement::must(
            "websites.pause.queued",
            "A job that was queued before its website was paused ends all the same: in a terminal state, whose members go together.",
            "openapi.yaml, Job, job-done; JobErrorCode, website_inactive",
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = queued(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(PAUSING),
        Requirement::must(
            "websites.pause.capture",
            "The form of a website that is paused is 403 from then on, and no lead is kept. Once it goes on, its form is taken again.",
            "openapi.yaml, capture_lead",
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = capture(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(FORM),
    ]
}

/// An order for the paused website is refused.
async fn refused(context: &Context, body: &Value) -> Verdict {
    let refused = context.send(steps::generate(body)).await?;
    if refused.succeeded() {
        steps::discard(context, &refused).await?;
        is_really_paused(context).await?;
    }
    demand::problem(&refused, 403, &["website_inactive"])
}

async fn orders(context: &Context, turn: &PauseTurn<'_>) -> Verdict {
    let body = order(context, "Closing the shop for a season");
    let before = taken_while_active(context, &body).await?;
    steps::discard(context, &before).await?;
    pause(turn).await?;
    refused(context, &body).await?;
    resume(turn).await?;
    let after = taken_while_active(context, &body).await?;
    steps::discard(context, &after).await
}

async fn listed(context: &Context, turn: &PauseTurn<'_>) -> Verdict {
    let body = order(context, "Hanging out a sign");
    steps::discard(context, &*taken_while_active(context, &body).await?).await?;
    pause(turn).await?;
    let told = listed_status(context).await?;
    let asked = context.send(steps::generate(&body)).await?;
    steps::discard(context, &asked).await?;
    if asked.succeeded() && told.as_deref() != Some("paused") {
        return is_really_paused(context).await;
    }
    demand::same("status of a paused website", &json!("paused"), &json!(told))?;
    resume(turn).await?;
    let told = listed_status(context).await?;
    let asked = context.send(steps::generate(&body)).await?;
    steps::discard(context, &asked).await?;
    if !asked.succeeded() && told.as_deref() != Some("active") {
        return Err(Halt::inconclusive("[pausing] resume succeeded, but the website takes no orders"));
    }
    demand::same("status of a website that goes on", &json!("active"), &json!(told))
}

async fn replay(context: &Context, turn: &PauseTurn<'_>) -> Verdict {
    let body = order(context, "Keeping a promise");
    taken_while_active(context, &body).await.map(drop)?;
    let key = context.fresh("key");
    let first = context.send(keyed::keyed(&body, &key)).await?;
    demand::success(&first)?;
    pause(turn).await?;
    refused(context, &body).await?;
    let again = context.send(keyed::keyed(&body, &key)).await?;
    demand::status(&again, first.status)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])?;
    demand::same("idempotency-replayed", &json!("true"), &json!(again.header("idempotency-replayed")))
}

async fn queued(context: &Context, turn: &PauseTurn<'_>) -> Verdict {
    let body = longest(context, order(context, "Finishing before the doors close"));
    let mut jobs = Vec::new();
    for _ in 0..QUEUED {
        let queued = taken_while_active(context, &body).await?;
        jobs.push(demand::text(demand::json(&queued)?, "job_id")?.to_owned());
    }
    pause(turn).await?;
    refused(context, &body).await?;
    context.waiting(tokio::time::sleep(PAUSED_FOR)).await;
    // Whoever lets them wait as long as the website is paused may do so; then they go on.
    resume(turn).await?;
    for job_id in jobs {
        let ended = steps::finished_within(context, &job_id, context.facts().ready_within).await;
        let ended = ended.map_err(|halt| match halt {
            Halt::Inconclusive(observed) => Halt::fail("a job that ends, also when its website was paused", observed),
            other => other,
        })?;
        let job = demand::json(&ended)?;
        agrees(job)?;
        if job["error"]["code"] == "website_inactive" {
            demand::same("retryable of website_inactive", &json!(false), &job["error"]["retryable"])?;
        }
    }
    Ok(())
}

async fn capture(context: &Context, turn: &PauseTurn<'_>) -> Verdict {
    let form = request(context, "POST", website_id(context))?;
    let body = |name: &str| {
        let marker = context.fresh(name);
        (json!({ "email": format!("{marker}@example.com") }), marker)
    };
    let before = context.send(form.clone().json(&body("before").0)).await?;
    is_taken_while_active(context, &before).await?;
    pause(turn).await?;
    let (lead, marker) = body("paused");
    let refused = context.send(form.clone().json(&lead)).await?;
    if refused.succeeded() {
        is_really_paused(context).await?;
    }
    demand::status(&refused, 403)?;
    settle(context).await?;
    let query = format!("limit=100&website_id={}", steps::segment(website_id(context)));
    let kept = lists::found(context, List::named("/leads"), &query, |row| row.to_string().contains(&marker)).await?;
    ensure(kept.is_empty(), "no lead of a paused website", || demand::brief(&kept[0]))?;
    resume(turn).await?;
    let after = context.send(form.json(&body("after").0)).await?;
    is_taken_while_active(context, &after).await
}
