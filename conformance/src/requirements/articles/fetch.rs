//! Fetching an article: not before it is completed, and whole from then on.

use std::time::Duration;

use serde_json::Value;

use crate::check::{ArticleIdSource, Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::orders::plain;
use crate::steps::{self, articles};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("articles.fetch.completed", "GET /api/v1/articles/{id} fetches the article once generation has completed.", "service description, section 4.2", fetch_completed)
            .core()
            .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::must("articles.fetch.ever", "Articles are written: of six plain orders in a row at least one has its article, within the time that the set-up declares (article.ready_within, 60 s by default).", "service description, sections 4.1 and 4.2", ever)
            .core()
            .background(),
        Requirement::must("articles.fetch.not-before", "An article cannot be read before generation has completed: no answer is 2xx with something else than the final article.", "service description, section 4.2", not_before)
            .core()
            .background(),
    ]
}

/// Queues and waits for the article in the way that the set-up declares.
async fn fetch_completed(context: Context, case: Value) -> Verdict {
    articles::readable_about(&context, steps::topic_of(&case)).await.map(|_| ())
}

/// A job may fail, and its writer be away for a moment. Where only an article under the job's id would tell, [`fetch_completed`] says so.
async fn ever(context: Context, _: Value) -> Verdict {
    const ORDERS: usize = 6;
    let facts = context.facts();
    let tells = facts.article_id_from == ArticleIdSource::Job && facts.capabilities.contains(&Capability::JOBS);
    if !tells {
        return articles::readable_about(&context, "Filling a kettle").await.map(|_| ());
    }
    let mut last = Value::Null;
    for _ in 0..ORDERS {
        let job_id = steps::queue(&context, &steps::quiet_request(&context, "Filling a kettle")).await?;
        let finished = steps::finished_within(&context, &job_id, facts.ready_within).await;
        let job = finished.map_err(|halt| match halt {
            Halt::Inconclusive(observed) => Halt::fail("a finished job in the declared time", observed),
            other => other,
        })?;
        last = demand::json(&job)?.clone();
        if let Some(id) = last["article_id"].as_str() {
            return demand::success(&*context.send(steps::get_article(id)).await?);
        }
    }
    let ended = format!("all of them ended as {}: {}", last["status"], last["error"]);
    Err(Halt::fail(format!("an article of one of {ORDERS} plain orders"), ended))
}

/// A stand-in is told from an article that was written at once: it is much shorter than what comes after it.
async fn not_before(context: Context, _: Value) -> Verdict {
    const GROWN: usize = 2;
    const PATIENCE: Duration = Duration::from_secs(10);
    if context.facts().article_id_from == ArticleIdSource::Hook {
        return Err(Halt::inconclusive("an article's id comes with its hook, so none is known before"));
    }
    let id = steps::queue(&context, &steps::quiet_request(&context, "Waiting for the kettle")).await?;
    let first = context.send(steps::get_article(&id)).await?;
    if first.succeeded() {
        let (context, id, first) = (&context, id.as_str(), &*first);
        let look = || async move {
            let later = context.send(steps::get_article(id)).await?;
            ensure(later.body.len() <= first.body.len() * GROWN, "no success before the article is written", || {
                format!("{} at once, {} bytes later", demand::seen(first), later.body.len())
            })
        };
        context.never(PATIENCE.min(context.facts().ready_within), look).await?;
    }
    // What was refused says something only where it is there later.
    articles::awaited(&context, &id, context.patience()).await.map(drop).map_err(|halt| match halt {
        Halt::Fail(finding) => Halt::Unmet(format!("the article never came: {}", finding.observed)),
        other => other,
    })
}
