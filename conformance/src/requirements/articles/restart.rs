//! Articles, jobs and leads that are read before and after the target restarts.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::leads::captured;
use crate::steps::pipeline::settled;
use crate::steps::restart::restart;

use super::publication::LASTING;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.restart.same",
            "An article, its job, its scheduled post and a lead are the same after a restart, and so is the ETag of the job.",
            &[
                Sentence(
                    "Data that the service has confirmed survives its restart: jobs, articles, scheduled posts, leads and remembered idempotency keys are as before.",
                ),
                Sentence("Once `done` is true, the body and its `ETag` no longer change."),
            ],
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
        .alone(),
    ]
}

async fn same(context: Context, _: Value) -> Verdict {
    let (job, _) = steps::written(&context, &steps::quiet_request(&context, "Storing timber")).await?;
    let lead = captured(&context, &format!("{}@example.com", context.fresh("kept")), "Robin Kept", "restart").await?;
    let post = settled(&context, demand::text(&job, "job_id")?, &["ready"], context.facts().ready_within).await?;
    let kept = [
        steps::get_article(demand::text(&job, "article_id")?),
        steps::get_job(demand::text(&job, "job_id")?),
        steps::get_scheduled_post(demand::text(&post, "id")?),
        steps::get_lead(demand::text(&lead, "id")?),
    ];
    let mut before = Vec::new();
    for request in &kept {
        let exchange = context.send(request.clone()).await?;
        demand::status(&exchange, 200)?;
        before.push(exchange);
    }
    restart(&context).await?;
    for (request, before) in kept.into_iter().zip(before) {
        let is_job = request.operation == Some("get_job");
        let exchange = context.send(request).await?;
        demand::status(&exchange, 200)?;
        let is_article = exchange.request.operation == Some("get_article");
        let [then, now] = [demand::json(&before)?, demand::json(&exchange)?].map(steps::without_nulls);
        for (field, value) in then.as_object().into_iter().flatten() {
            if !is_article || LASTING.contains(&field.as_str()) {
                demand::same(&format!("{field} of {}", exchange.request.path), value, &now[field])?;
            }
        }
        // A gateway that compresses a response may change its ETag.
        if is_job && exchange.header("content-encoding").is_none() {
            let [before, after] = [&before, &exchange].map(|exchange| json!(exchange.header("etag")));
            demand::same("ETag of the job", &before, &after)?;
        }
    }
    Ok(())
}
