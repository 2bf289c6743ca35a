//! Articles, jobs and leads that are read before and after the target restarts.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::leads::captured;
use crate::steps::restart::restart;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.restart.same",
            "An article, its job, its scheduled post and a lead have the same body after a restart. The ETag from before still gets 304, if there is one.",
            &[Sentence(
                "Data that the service has confirmed survives its restart: jobs, articles, scheduled posts, leads and remembered idempotency keys are as before.",
            )],
            same,
        )
        .needs(&[
            Capability::JOBS,
            Capability::PIPELINE,
            Capability::ARTICLES,
            Capability::LEADS,
            Capability::LEAD_FORM,
            Capability::RESTARTING,
        ])
        .restarting(),
    ]
}

async fn same(context: Context, _: Value) -> Verdict {
    let (job, article) = steps::written(&context, &steps::quiet_request(&context, "Storing timber")).await?;
    let lead = captured(&context, &format!("{}@example.com", context.fresh("kept")), "Robin Kept", "restart").await?;
    let article_id = demand::text(&job, "article_id")?;
    let requests = || {
        [
            steps::get_article(article_id),
            steps::get_job(job["job_id"].as_str().unwrap_or_default()),
            steps::get_scheduled_post(job["scheduled_post_id"].as_str().unwrap_or_default()),
            steps::get_lead(lead["id"].as_str().unwrap_or_default()),
        ]
    };
    let mut before = Vec::new();
    for request in requests() {
        let exchange = context.send(request).await?;
        demand::status(&exchange, 200)?;
        before.push(demand::json(&exchange)?.clone());
    }
    restart(&context).await?;
    for (request, before) in requests().into_iter().zip(before) {
        let what = format!("{} after the restart", request.path);
        let exchange = context.send(request).await?;
        demand::status(&exchange, 200)?;
        demand::same(&what, &before, demand::json(&exchange)?)?;
    }
    if let Some(tag) = article.header("etag") {
        let held = context.send(steps::get_article(article_id).header("if-none-match", tag)).await?;
        demand::same("status with the ETag from before", &json!(304), &json!(held.status))?;
    }
    Ok(())
}
