//! The status of a website: in the list, while it is paused, and after it is active again.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Credential, Exchange, Halt, PauseTurn, Requirement, Verdict, demand, ensure};
use crate::steps::jobs::{agrees, longest};
use crate::steps::lead_form::{request, settle};
use crate::steps::lists::List;
use crate::steps::pausing::{
    end, is_really_paused, order, pause, refused_while_paused, resume, taken_while_active, turn, until_listed,
    website_id,
};
use crate::steps::publishing::{SKEW, ahead, published};
use crate::steps::times::{ensure_one_clock, server_now, written_at};
use crate::steps::{self, keyed, lists};

const WEBSITES: &[Capability] = &[Capability::WEBSITES];

const PAUSING: &[Capability] = &[Capability::PAUSING, Capability::JOBS];

const LISTED: &[Capability] = &[Capability::PAUSING, Capability::JOBS, Capability::WEBSITES];

const FORM: &[Capability] = &[Capability::PAUSING, Capability::LEADS, Capability::LEAD_FORM];

/// Number of jobs that are queued or being written while the website is paused. Only the first is for a long article.
const QUEUED: usize = 4;

/// Time for which the website is paused while they wait.
const PAUSED_FOR: Duration = Duration::from_millis(500);

/// Time after `publish_at` within which a wrong publication would happen.
const AFTERWARDS: Duration = Duration::from_secs(3);
/// Multiples of the time of an article after which the article is due. The website is written for and paused in that time.
const FARTHER: [u32; 3] = [2, 4, 8];

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "websites.list.own",
            "The list of websites has the website under test with status active.",
            &[
                Sentence("Lists the websites that the key may use, newest first by creation."),
                Sentence("It must be active, and the key must be allowed to use it."),
            ],
            own_website,
        )
        .needs(WEBSITES),
        Requirement::new(
            "websites.pause.orders",
            "Generate for a paused website returns 403 website_inactive. Once the website is active again, the request is accepted.",
            &[
                Sentence("The website is paused or archived."),
                Sentence("Articles are written and published and leads are taken only for an `active` one."),
                Part("/x-problem-codes/website_inactive"),
            ],
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = orders(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(PAUSING),
        Requirement::new(
            "websites.pause.listed",
            "The list of websites shows status paused while a website is paused, and active afterwards.",
            &[Sentence("State of a website."), Part("/components/schemas/WebsiteStatus/x-extensible-enum")],
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = listed(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(LISTED),
        Requirement::new(
            "websites.pause.replay",
            "Idempotency is checked before the state of the website: the first response is repeated even if the website was paused since.",
            &[
                Sentence(
                    "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, validation, access to the website, state of the website, queue.",
                ),
                Sentence(
                    "For 24 hours the same key with the same body queues nothing and returns the first success again, with `Idempotency-Replayed: true`.",
                ),
            ],
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = replay(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(PAUSING),
        Requirement::new(
            "websites.pause.queued",
            "A job that was queued before its website was paused still ends, and its fields agree with its final state.",
            &[
                Sentence("If it is not active, queued jobs fail with `website_inactive`."),
                Sentence(
                    "`done` is true exactly if `status` is `completed`, `failed` or `cancelled`, and exactly if `finished_at` is not null.",
                ),
                Sentence("`error` is not null exactly if `status` is `failed`."),
                Sentence(
                    "`article_id` is not null exactly if `status` is `completed`, and exactly if `GET /api/v1/articles/{article_id}` answers 200.",
                ),
                Sentence(
                    "`content_rejected`, `voice_unsatisfiable`, `language_not_supported` and `website_inactive` are not.",
                ),
            ],
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = queued(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(PAUSING),
        Requirement::new(
            "websites.pause.capture",
            "The lead form of a paused website returns 403 and makes no lead. Once the website is active again, the form is accepted.",
            &[
                Sentence("An unknown website is 404, an inactive one 403."),
                Sentence("Articles are written and published and leads are taken only for an `active` one."),
            ],
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = capture(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(FORM),
        Requirement::new(
            "websites.pause.publication",
            "A scheduled article is not published at its publish_at while its website is paused.",
            &[
                Sentence("Posts whose article is written wait until it is active again."),
                Sentence("Articles are written and published and leads are taken only for an `active` one."),
            ],
            |context: Context, _| async move {
                let turn = turn(&context).await?;
                let verdict = publication(&context, &turn).await;
                end(turn, verdict).await
            },
        )
        .needs(PAUSING)
        .background(),
    ]
}

async fn own_website(context: Context, _: Value) -> Verdict {
    let own = context.facts().website_id.as_str();
    let is_own = |row: &Value| row["website_id"] == own;
    let row = lists::row(&context, List::named("/websites"), "limit=100", Credential::Main, is_own).await?;
    let status = row.map_or(Value::Null, |row| row["status"].clone());
    ensure(status == "active", format!("website {own} with status active"), || demand::brief(&status))
}

/// Sends a request until the website accepts it.
async fn taken(context: &Context, body: &Value) -> Result<Arc<Exchange>, Halt> {
    taken_while_active(context, || steps::generate(body)).await
}

/// Demands that a request for the paused website is refused.
async fn refused(context: &Context, body: &Value) -> Verdict {
    let refused = refused_while_paused(context, || steps::generate(body)).await?;
    demand::problem(&refused, 403, &["website_inactive"])
}

async fn orders(context: &Context, turn: &PauseTurn<'_>) -> Verdict {
    let body = order(context, "Closing the shop for a season");
    let before = taken(context, &body).await?;
    steps::discard(context, &before).await?;
    pause(turn).await?;
    refused(context, &body).await?;
    resume(turn).await?;
    let after = taken(context, &body).await?;
    steps::discard(context, &after).await
}

async fn listed(context: &Context, turn: &PauseTurn<'_>) -> Verdict {
    let body = order(context, "Hanging out a sign");
    let before = taken(context, &body).await?;
    steps::discard(context, &before).await?;
    pause(turn).await?;
    if let Err(halt) = until_listed(context, "paused").await {
        if steps::send_and_discard(context, steps::generate(&body)).await?.succeeded() {
            is_really_paused(context).await?;
        }
        return Err(halt);
    }
    resume(turn).await?;
    if let Err(halt) = until_listed(context, "active").await {
        if !steps::send_and_discard(context, steps::generate(&body)).await?.succeeded() {
            return Err(Halt::inconclusive("[pausing] resume succeeded, but the website refuses requests"));
        }
        return Err(halt);
    }
    Ok(())
}

async fn replay(context: &Context, turn: &PauseTurn<'_>) -> Verdict {
    let body = order(context, "Keeping a promise");
    taken(context, &body).await.map(drop)?;
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
    let body = order(context, "Finishing before the doors close");
    let long = longest(context, body.clone());
    let mut jobs = Vec::new();
    for number in 0..QUEUED {
        let queued = taken(context, if number == 0 { &long } else { &body }).await?;
        jobs.push(demand::text(demand::json(&queued)?, "job_id")?.to_owned());
    }
    pause(turn).await?;
    refused(context, &body).await?;
    context.waiting(tokio::time::sleep(PAUSED_FOR)).await;
    // A server may also keep the jobs waiting while the website is paused, and continue them now.
    resume(turn).await?;
    for job_id in jobs {
        let ended = steps::ended_in_time(context, &job_id).await?;
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
    let fresh = |name: &str| {
        let email = format!("{}@example.com", context.fresh(name));
        form.clone().json(&json!({ "email": email }))
    };
    taken_while_active(context, || fresh("before")).await?;
    pause(turn).await?;
    let refused = refused_while_paused(context, || fresh("paused")).await?;
    demand::status(&refused, 403)?;
    let sent: Value = serde_json::from_slice(refused.request.body.as_deref().unwrap_or_default()).unwrap_or_default();
    let email = demand::text(&sent, "email")?;
    settle(context).await?;
    let query = format!("limit=100&website_id={}", steps::segment(website_id(context)));
    let kept = lists::found(context, List::named("/leads"), &query, |row| row.to_string().contains(email)).await?;
    ensure(kept.is_empty(), "no lead of a paused website", || demand::brief(&kept[0]))?;
    resume(turn).await?;
    taken_while_active(context, || fresh("after")).await.map(drop)
}

async fn publication(context: &Context, turn: &PauseTurn<'_>) -> Verdict {
    let body = order(context, "Opening again in spring");
    for times in FARTHER {
        let first = taken(context, &body).await?;
        steps::discard(context, &first).await?;
        let at = server_now(context).await? + times * ahead(context);
        let mut timed = body.clone();
        timed["auto_publish"] = json!(true);
        timed["publish_at"] = json!(written_at(at));
        let (_, early) = steps::written(context, &timed).await?;
        ensure_one_clock(&early)?;
        let read = steps::get_article(demand::text(demand::json(&early)?, "id")?);
        pause(turn).await?;
        let before = context.send(read.clone()).await?;
        refused(context, &body).await?;
        let left = at - server_now(context).await?;
        if left <= SKEW || demand::json(&before)?["status"] == "published" {
            resume(turn).await?;
            continue;
        }
        context.waiting(tokio::time::sleep(left.to_std().unwrap_or_default() + AFTERWARDS)).await;
        let after = context.send(read).await?;
        demand::status(&after, 200)?;
        let status = &demand::json(&after)?["status"];
        ensure(status != "published", "an article that waits for its website", || status.to_string())?;
        resume(turn).await?;
        return published(context, &early).await.map(drop);
    }
    Err(Halt::Unmet("the article was due before the website was paused".to_owned()))
}
