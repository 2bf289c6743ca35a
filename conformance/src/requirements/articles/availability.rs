//! When an article can be read: once it is written, not before, and never for a failed job or an unknown id.

use std::time::Duration;

use futures::stream::{FuturesUnordered, StreamExt as _};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::{
    About as _, ArticleIdSource, Capability, Cases, Context, Exchange, Halt, Request, Requirement, Source, Verdict,
    demand, ensure, ensure_met,
};
use crate::spec::Profile;
use crate::steps::draws::plain;
use crate::steps::jobs::{failed, failing_order};
use crate::steps::lists::ARTICLES;
use crate::steps::operations::{unknown_id, unknown_refused};
use crate::steps::{self, articles, control, lists};

const JOBS: &[Capability] = &[Capability::JOBS];

/// Maximum time of polling an article that is not ready, and maximum pause between two requests.
const WATCHED: Duration = Duration::from_secs(10);

const PAUSE: Duration = Duration::from_millis(20);

/// Refusals that are enough, and maximum number of jobs that are queued to see them.
const ENOUGH: u32 = 3;

const TRIES: u32 = 10;

const FAILING: &[Capability] = &[Capability::JOBS, Capability::ARTICLES, Capability::FAILING_JOB];

const NO_ARTICLE: Source = Sentence("There is no article with this id, none yet, or there never will be one.");

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.fetch.completed",
            "GET /api/v1/articles/{id} returns the article once it is written, in core with any 2xx status except 202.",
            &[Fact("4.2"), Fact("3"), Fact("4"), Sentence("Returns the article once its job has completed.")],
            fetch_completed,
        )
        .core()
        .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::new(
            "articles.fetch.ever",
            "The service writes articles: of six plain requests, spread over the configured time (article.ready_within), at least one gets its article within that time. The check sends no further request once an article is there.",
            &[Fact("1.3"), Fact("3"), Fact("4.2")],
            ever,
        )
        .core()
        .background(),
        Requirement::new(
            "articles.fetch.not-before",
            "An article cannot be read before it is written: until then no response is 2xx, except 202.",
            &[Fact("4.2"), Fact("3")],
            not_before,
        )
        .core()
        .background(),
        Requirement::new(
            "articles.not-ready.retry",
            "Until the job has ended, reading its article by the job's id returns 404 article_not_ready with Retry-After in seconds.",
            &[
                Sentence("Until the job has ended, the response is 404 `article_not_ready` with `Retry-After`."),
                Sentence("The id is of a job that has not ended."),
                NO_ARTICLE,
                Sentence("The article that the job writes; 404 `article_not_ready` until the job has ended."),
                Part("/components/headers/Retry-After/schema"),
            ],
            not_ready,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.failed.not-found",
            "The id of a failed job returns 404 generation_failed without Retry-After, because the job will never have an article. The list of articles has none either.",
            &[
                Sentence("If the job failed or was cancelled, it is 404 `generation_failed` or `generation_cancelled`."),
                Sentence("These two have no `Retry-After`."),
                Sentence("The id is of a job that failed."),
                NO_ARTICLE,
                Sentence("It will never have an article."),
            ],
            failed_not_found,
        )
        .needs(FAILING),
        Requirement::new(
            "articles.unknown.not-found",
            "GET /articles/{id} with an unknown id returns 404 article_not_found, or any 4xx if the id contains NUL, a slash, a backslash, a semicolon or bytes that are not UTF-8. In core it returns anything but 2xx.",
            &[
                Sentence("The id is unknown, or the key may not use it."),
                NO_ARTICLE,
                Sentence("Ids are opaque strings, which are compared exactly, with their letter case."),
                Fact("4.2"),
                Standard("RFC 9110", "15.3.1"),
            ],
            unknown_not_found,
        )
        .core()
        .drawn("ids that name nothing", Cases::Searched, |space, draw| unknown_id(space, "get_article", draw)),
    ]
}

/// Queues a job and finds its article as the configuration says.
async fn fetch_completed(context: Context, case: Value) -> Verdict {
    articles::readable_about(&context, steps::topic_of(&case)).await.map(|_| ())
}

/// Repeats the request, because a job may fail while the writer is unavailable.
async fn ever(context: Context, _: Value) -> Verdict {
    const REQUESTS: u32 = 6;
    let (context, pause) = (&context, context.facts().ready_within / REQUESTS);
    let attempts = (0..REQUESTS).map(|number| async move {
        context.waiting(tokio::time::sleep(pause * number)).await;
        attempt(context).await
    });
    let mut attempts: FuturesUnordered<_> = attempts.collect();
    let mut last = Ok(());
    while let Some(attempted) = attempts.next().await {
        last = attempted?;
        if last.is_ok() {
            break;
        }
    }
    last
}

/// Queues an article and waits for it. The inner result is the one of waiting.
async fn attempt(context: &Context) -> Result<Verdict, Halt> {
    const TOPIC: &str = "Filling a kettle";
    let facts = context.facts();
    if facts.article_id_from == ArticleIdSource::Hook {
        return Ok(articles::readable_about(context, TOPIC).await.map(drop));
    }
    let job_id = steps::queue(context, &steps::quiet_request(context, TOPIC)).await?;
    if facts.article_id_from == ArticleIdSource::Job && facts.capabilities.contains(&Capability::JOBS) {
        return Ok(by_job(context, &job_id).await);
    }
    Ok(articles::awaited(context, &job_id, facts.ready_within).await.map(drop))
}

/// Demands that the job ends in time and that its article is there.
async fn by_job(context: &Context, job_id: &str) -> Verdict {
    let ended = steps::ended_in_time(context, job_id).await?;
    let job = demand::json(&ended)?;
    let Some(id) = job["article_id"].as_str() else {
        let observed = format!("the last job ended as {}: {}", job["status"], job["error"]);
        return Err(Halt::fail("an article of one of six plain requests", observed));
    };
    let article = context.send(steps::get_article(id)).await?;
    steps::has_article(context, &article)
}

/// Recognises a placeholder by its length: the article that replaces it is more than twice as long.
async fn not_before(context: Context, _: Value) -> Verdict {
    const GROWN: usize = 2;
    const PATIENCE: Duration = Duration::from_secs(10);
    if context.facts().article_id_from == ArticleIdSource::Hook {
        return Err(Halt::inconclusive("the webhook reports the id of the article, so it is unknown before"));
    }
    let id = steps::queue(&context, &steps::quiet_request(&context, "Waiting for the kettle")).await?;
    let first = context.send(steps::get_article(&id)).await?;
    // 202 means "not yet".
    if first.succeeded() && first.status != 202 {
        let (context, id, first) = (&context, id.as_str(), &*first);
        let look = || async move {
            let later = context.send(steps::get_article(id)).await?;
            ensure(later.body.len() <= first.body.len() * GROWN, "no success before the article is written", || {
                format!("{} at once, {} bytes later", demand::seen(first), later.body.len())
            })
        };
        context.never(PATIENCE.min(context.facts().ready_within), look).await?;
    }
    // A refusal proves nothing if the article never becomes readable.
    articles::awaited(&context, &id, context.patience()).await.map(drop).map_err(|halt| match halt {
        Halt::Fail(finding) => Halt::Unmet(format!("the article never came: {}", finding.observed)),
        other => other,
    })
}

async fn not_ready(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Keeping a diary for a year");
    body["target_word_count"] = json!(5_000);
    let mut refusals = 0;
    // A fast target leaves a short time to read the article too early, so try several jobs.
    for _ in 0..TRIES {
        let queued = context.send(steps::generate(&body)).await?;
        demand::success(&queued)?;
        let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
        let looked = correct_refusals(&context, &job_id).await;
        steps::discard(&context, &queued).await?;
        refusals += looked?;
        if refusals >= ENOUGH {
            return Ok(());
        }
    }
    ensure_met(refusals > 0, "every article was ready before it could be requested")
}

/// Counts correct refusals until the article is there or enough were seen.
async fn correct_refusals(context: &Context, job_id: &str) -> Result<u32, Halt> {
    let since = Instant::now();
    let deadline = since + WATCHED.min(context.facts().ready_within);
    let mut refusals = 0;
    let mut begun = false;
    // Queued jobs and running jobs may be refused by different code, so wait for both.
    while Instant::now() < deadline && !(begun && refusals >= ENOUGH) {
        let before = context.send(steps::get_job(job_id)).await?;
        demand::status(&before, 200)?;
        let job = demand::json(&before)?;
        begun = job["status"] != "queued";
        let exchange = context.send(steps::get_article(job_id)).await?;
        if exchange.status == 200 || job["done"] == true {
            break;
        }
        if exchange.code() != Some("article_not_ready") {
            // The job may have ended without an article in between.
            let after = context.send(steps::get_job(job_id)).await?;
            if demand::json(&after)?["done"] == true {
                break;
            }
        }
        is_not_ready(&exchange)?;
        refusals += 1;
        // Poll a fast writer more often.
        tokio::time::sleep((since.elapsed() / 4).min(PAUSE)).await;
    }
    Ok(refusals)
}

fn is_not_ready(exchange: &Exchange) -> Verdict {
    demand::problem(exchange, 404, &["article_not_ready"])?;
    let wait = demand::header(exchange, "retry-after")?;
    let is_wait = wait.parse::<u64>().is_ok_and(|seconds| seconds >= 1);
    ensure(is_wait, "whole seconds in Retry-After", || wait.to_owned()).about(exchange)
}

async fn failed_not_found(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &failing_order(&context, true)).await?;
    let job_id = demand::text(&job, "job_id")?;
    let refused = context.send(steps::get_article(job_id)).await?;
    demand::problem(&refused, 404, &["generation_failed"])?;
    ensure(refused.header("retry-after").is_none(), "no Retry-After for a failed job", || demand::seen(&refused))?;
    let query = format!("limit=100&website_id={}", steps::segment(demand::text(&job, "website_id")?));
    let listed = lists::found(&context, ARTICLES, &query, |row| row["job_id"] == job_id).await?;
    ensure(listed.is_empty(), "no article of a failed job", || demand::brief(&listed[0]))
}

async fn unknown_not_found(context: Context, id: Value) -> Verdict {
    // The drawn segment is already percent-encoded.
    let segment = id.as_str().unwrap_or("x");
    let exchange = context.send(Request::new("get_article", "GET", &format!("/articles/{segment}"))).await?;
    if context.document().profile() == Profile::Core {
        demand::refusal(&exchange)?;
    } else {
        unknown_refused(&exchange, segment, "article_not_found")?;
    }
    control::article(&context).await.map(drop)
}
