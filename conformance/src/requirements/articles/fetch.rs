//! Fetching an article: not before it is completed, and whole from then on.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::check::{ArticleIdSource, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::articles;
use crate::steps::orders::plain;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("articles.fetch.completed", "GET /api/v1/articles/{id} fetches the article once generation has completed.", "service description, section 4.2", fetch_completed)
            .core()
            .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::must("articles.fetch.not-before", "Until generation has completed the article is not there: whatever is answered, it is no success that turns out to be something else later.", "service description, section 4.2", not_before)
            .core()
            .background(),
    ]
}

/// Queues and waits for the article in the way that the set-up declares.
async fn fetch_completed(context: Context, case: Value) -> Verdict {
    articles::readable_about(&context, steps::topic_of(&case)).await.map(|_| ())
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
    let deadline = Instant::now() + PATIENCE.min(context.facts().ready_within);
    while first.succeeded() && Instant::now() < deadline {
        let later = context.send(steps::get_article(&id)).await?;
        ensure(later.body.len() <= first.body.len() * GROWN, "no success before the article is written", || {
            format!("{} at once, {} bytes later", demand::seen(&first), later.body.len())
        })?;
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    Ok(())
}
