//! Jobs that have not ended when the target restarts.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Exchange, Requirement, Verdict, demand, ensure_met};
use crate::steps;
use crate::steps::jobs::longest;
use crate::steps::restart::restart;

/// Number of jobs that are queued right before the restart, so that some have not begun.
const JOBS: usize = 8;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.restart.continues",
            "Jobs that were queued right before a restart can be read after it, and end. A completed one has an article.",
            &[
                Sentence(
                    "Data that the service has confirmed survives its restart: jobs, articles, scheduled posts, leads and remembered idempotency keys are as before.",
                ),
                Sentence(
                    "A job that has not ended is continued, and an event that was not delivered is tried again.",
                ),
            ],
            continues,
        )
        .needs(&[Capability::JOBS, Capability::RESTARTING])
        .alone(),
    ]
}

async fn continues(context: Context, _: Value) -> Verdict {
    let topics: Vec<String> = (0..JOBS).map(|number| format!("Repairing chair {number}")).collect();
    let queued = futures::future::join_all(topics.iter().map(|topic| async {
        let body = longest(&context, steps::quiet_request(&context, topic));
        let exchange = context.send(steps::generate(&body)).await?;
        demand::success(&exchange)?;
        steps::queued(&context, &exchange)
    }));
    let job_ids = queued.await.into_iter().collect::<Result<Vec<_>, _>>()?;
    // A restart after the last job has ended would show nothing.
    let reads = futures::future::join_all(job_ids.iter().map(|job_id| context.send(steps::get_job(job_id))));
    let reads = reads.await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let is_unfinished = |read: &Arc<Exchange>| read.json().is_some_and(|job| job["done"] == false);
    ensure_met(reads.iter().any(is_unfinished), "every job had ended before the restart")?;
    restart(&context).await?;
    let mut completed = 0;
    for ((job_id, topic), before) in job_ids.iter().zip(&topics).zip(&reads) {
        let read = context.send(steps::get_job(job_id)).await?;
        demand::status(&read, 200)?;
        demand::same("topic of the job", &json!(topic), &demand::json(&read)?["topic"])?;
        let ended = steps::ended_by_deadline(&context, job_id).await?;
        let job = demand::json(&ended)?;
        // A writer may fail at any time, so a failed job says nothing of the restart.
        if job["status"] == "completed" {
            completed += usize::from(is_unfinished(before));
            let article = context.send(steps::get_article(demand::text(job, "article_id")?)).await?;
            demand::status(&article, 200)?;
        }
    }
    ensure_met(completed > 0, "no job was completed after the restart")
}
