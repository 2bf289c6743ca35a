//! Random sequences of requests for a few jobs, checked step by step against a small model.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Look, Requirement, Verdict, demand, ensure,
};
use crate::steps::{self, pipeline};
use crate::strategies::{Step, sequences};

const NEEDS: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "sequences.jobs.model",
            "In any sequence of queueing, reading, waiting, cancelling and fetching, the state of a job never goes back and never changes after its end. The job has an article exactly if it has completed, and one scheduled post that follows it.",
            &[
                Sentence(
                    "From one read to the next, `progress` and the rank of `status` (queued 0, in_progress 1, ended 2) never decrease.",
                ),
                Sentence("Once `done` is true, the body and its `ETag` no longer change."),
                Sentence(
                    "`done` is true exactly if `status` is `completed`, `failed` or `cancelled`, and exactly if `finished_at` is not null.",
                ),
                Sentence("`error` is not null exactly if `status` is `failed`."),
                Sentence(
                    "`article_id` is not null exactly if `status` is `completed`, and exactly if `GET /api/v1/articles/{article_id}` answers 200.",
                ),
                Sentence("Cancels a job that has not ended, and its scheduled post."),
                Sentence("For a job that is already cancelled the response is the same again."),
                Sentence("If the job completed or failed, it is 409 `job_not_cancellable`."),
                Sentence("Until the job has ended, the response is 404 `article_not_ready` with `Retry-After`."),
                Sentence("If the job failed or was cancelled, it is 404 `generation_failed` or `generation_cancelled`."),
                Sentence(
                    "When the response arrives, `GET /api/v1/scheduled_posts` lists exactly one scheduled post with this `job_id`.",
                ),
                Sentence(
                    "`queued` and `generating` follow the job, `ready` waits for approval, `scheduled` waits for its time, `publishing` is being published.",
                ),
            ],
            run,
        )
        .needs(NEEDS)
        .drawn("sequences of 3 to 12 steps over a few jobs", Cases::Divided(2), |_, draw| draw.value(&sequences())),
    ]
}

/// Everything that the model knows of one job.
struct Known {
    job_id: String,
    topic: String,
    rank: u8,
    progress: i64,
    /// Body and status once the job has ended.
    end: Option<(Value, String)>,
}

async fn run(context: Context, case: Value) -> Verdict {
    let mut jobs: Vec<Known> = Vec::new();
    for step in case.as_array().into_iter().flatten().filter_map(Step::from_json) {
        match step {
            Step::Generate => {
                let topic = format!("Sorting a box of buttons {}", jobs.len());
                let body = steps::quiet_request(&context, &topic);
                let job_id = steps::queue(&context, &body).await?;
                let is_new = jobs.iter().all(|known| known.job_id != job_id);
                ensure(is_new, "a new job_id", || job_id.clone())?;
                jobs.push(Known { job_id, topic, rank: 0, progress: 0, end: None });
            }
            Step::Poll(index) => poll(&context, pick(&mut jobs, index)?).await?,
            Step::Wait(index) => {
                let known = pick(&mut jobs, index)?;
                let exchange = steps::finished(&context, &known.job_id).await?;
                learn(known, &exchange)?;
            }
            Step::Cancel(index) => cancel(&context, pick(&mut jobs, index)?).await?,
            Step::Fetch(index) => fetch(&context, pick(&mut jobs, index)?).await?,
            Step::Entry(index) => entry(&context, pick(&mut jobs, index)?).await?,
        }
    }
    Ok(())
}

fn pick(jobs: &mut [Known], index: usize) -> Result<&mut Known, Halt> {
    let count = jobs.len().max(1);
    jobs.get_mut(index % count).ok_or_else(|| Halt::Error("a sequence must begin with generate".to_owned()))
}

async fn poll(context: &Context, known: &mut Known) -> Verdict {
    let exchange = context.send(steps::get_job(&known.job_id)).await?;
    demand::status(&exchange, 200)?;
    learn(known, &exchange)
}

/// Compares a job's body with the model and updates the model.
fn learn(known: &mut Known, exchange: &Arc<Exchange>) -> Verdict {
    let job = demand::json(exchange)?;
    let status = demand::text(job, "status")?.to_owned();
    demand::same("job_id", &json!(known.job_id), &job["job_id"])?;
    demand::same("topic", &json!(known.topic), &job["topic"])?;
    steps::jobs::agrees(job)?;
    if let Some((end, _)) = &known.end {
        return demand::same("body of a job that has ended", end, job).about(exchange);
    }
    let rank = match status.as_str() {
        "queued" => 0,
        "in_progress" => 1,
        _ => 2,
    };
    let progress = job["progress"].as_i64().unwrap_or(known.progress);
    ensure(rank >= known.rank && progress >= known.progress, "status and progress that never go back", || {
        format!("{status} {progress} after rank {} progress {}", known.rank, known.progress)
    })?;
    (known.rank, known.progress) = (rank, progress);
    if steps::is_terminal(&status) {
        known.end = Some((job.clone(), status));
    }
    Ok(())
}

async fn cancel(context: &Context, known: &mut Known) -> Verdict {
    let exchange = context.send(steps::cancel_job(&known.job_id)).await?;
    match &known.end {
        Some((end, status)) if status == "cancelled" => {
            demand::status(&exchange, 200)?;
            demand::same("the cancelled job, unchanged", end, demand::json(&exchange)?)
        }
        Some(_) => demand::problem(&exchange, 409, &["job_not_cancellable"]),
        None if exchange.status == 409 => {
            demand::problem(&exchange, 409, &["job_not_cancellable"])?;
            let read = steps::finished(context, &known.job_id).await?;
            learn(known, &read)
        }
        None => {
            demand::status(&exchange, 200)?;
            learn(known, &exchange)?;
            let status = known.end.as_ref().map(|(_, status)| status.as_str());
            ensure(status == Some("cancelled"), "status cancelled after 200", || demand::seen(&exchange))
        }
    }
}

async fn fetch(context: &Context, known: &mut Known) -> Verdict {
    let exchange = context.send(steps::get_article(&known.job_id)).await?;
    let status = known.end.as_ref().map(|(_, status)| status.as_str());
    match (status, exchange.status) {
        (Some("cancelled"), _) => demand::problem(&exchange, 404, &["generation_cancelled"]),
        (Some("failed"), _) => demand::problem(&exchange, 404, &["generation_failed"]),
        (None, 404) => demand::problem(&exchange, 404, &["article_not_ready", "generation_failed"]),
        _ => {
            demand::status(&exchange, 200)?;
            let article = demand::json(&exchange)?;
            demand::same("job_id of the article", &json!(known.job_id), &article["job_id"])?;
            demand::same("topic of the article", &json!(known.topic), &article["topic"])?;
            // The article was readable, so the job must be completed.
            poll(context, known).await?;
            let status = known.end.as_ref().map_or("unfinished", |(_, status)| status.as_str());
            ensure(status == "completed", "a completed job behind a readable article", || status.to_owned())?;
            let id = known.end.as_ref().map(|(end, _)| end["article_id"].clone()).unwrap_or_default();
            demand::same("id of the article", &id, &article["id"])
        }
    }
}

async fn entry(context: &Context, known: &Known) -> Verdict {
    let expected = match known.end.as_ref().map(|(_, status)| status.as_str()) {
        Some("completed") => Some("ready"),
        Some("failed") => Some("failed"),
        Some("cancelled") => Some("cancelled"),
        _ => None,
    };
    // The scheduled post may follow its job with a delay.
    let look = || async move {
        let entries = pipeline::entries_of(context, &known.job_id).await?;
        ensure(entries.len() == 1, "exactly one scheduled post of the job", || entries.len().to_string())?;
        demand::same("topic of the scheduled post", &json!(known.topic), &entries[0]["topic"])?;
        let status = &entries[0]["status"];
        Ok(Look::at(expected.is_none_or(|expected| status == expected), || {
            Halt::fail(format!("a scheduled post with status {}", expected.unwrap_or_default()), demand::brief(status))
        }))
    };
    context.eventually(context.grace(), look).await
}
