//! Fetching an article: once it is written, and not before.

use std::time::Duration;

use futures::stream::{FuturesUnordered, StreamExt as _};
use serde_json::Value;

use crate::check::Source::{Fact, Sentence};
use crate::check::{ArticleIdSource, Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::orders::plain;
use crate::steps::{self, articles};

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
