//! Articles, jobs and leads that are read before and after the target restarts.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::leads::captured;
use crate::steps::pipeline::settled;
use crate::steps::restart::restart;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.restart.same",
            "The text of an article, the states of its job and its scheduled post, and a lead are the same after a restart.",
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
    let (job, _) = steps::written(&context, &steps::quiet_request(&context, "Storing timber")).await?;
    let lead = captured(&context, &format!("{}@example.com", context.fresh("kept")), "Robin Kept", "restart").await?;
    let post = settled(&context, demand::text(&job, "job_id")?, &["ready"], context.facts().ready_within).await?;
    let kept = [
        (steps::get_article(demand::text(&job, "article_id")?), ["id", "title", "html"]),
        (steps::get_job(demand::text(&job, "job_id")?), ["topic", "status", "article_id"]),
        (steps::get_scheduled_post(demand::text(&post, "id")?), ["job_id", "status", "article_id"]),
        (steps::get_lead(demand::text(&lead, "id")?), ["email", "name", "captured_at"]),
    ];
    let mut before = Vec::new();
    for (request, _) in &kept {
        let exchange = context.send(request.clone()).await?;
        demand::status(&exchange, 200)?;
        before.push(demand::json(&exchange)?.clone());
    }
    restart(&context).await?;
    for ((request, fields), before) in kept.into_iter().zip(before) {
        let path = request.path.clone();
        let exchange = context.send(request).await?;
        demand::status(&exchange, 200)?;
        for field in fields {
            demand::same(&format!("{field} of {path}"), &before[field], &demand::json(&exchange)?[field])?;
        }
    }
    Ok(())
}
