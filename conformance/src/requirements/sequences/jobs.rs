//! Random sequences over a few jobs, checked step by step against a small model.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Cases, Context, Exchange, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::{self, lists};
use crate::strategies::{Step, sequences};

const NEEDS: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "sequences.jobs.model",
            "Whatever the order of queueing, reading, waiting, cancelling and fetching, each job keeps to its states: it never goes back, never changes once it has ended, and has an article exactly when it has completed.",
            "openapi.yaml, Job, ScheduledPost and Article",
            run,
        )
        .needs(NEEDS)
        .drawn("sequences of 3 to 12 steps over a few jobs", Cases::Divided(2), |_, draw| draw.value(&sequences()))
        .shrinks("", |_, case| {
            case.as_array().is_some_and(|steps| {
                !steps.is_empty() && steps.iter().all(|step| Step::from_json(step).is_some()) && steps[0][0] == "generate"
            })
        }),
    ]
}

/// What is known of one job.
struct Known {
    job_id: String,
    topic: String,
    rank: u8,
    progress: i64,
    /// Body and status once terminal.
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
                ensure(is_new, "a job_id of its own", || job_id.clone())?;
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

/// Compares a job's body with what is known and remembers it.
fn learn(known: &mut Known, exchange: &Arc<Exchange>) -> Verdict {
    let job = demand::json(exchange)?;
    let status = demand::text(job, "status")?.to_owned();
    demand::same("job_id", &json!(known.job_id), &job["job_id"])?;
    demand::same("topic", &json!(known.topic), &job["topic"])?;
    steps::job_details::agrees(job)?;
    if let Some((end, _)) = &known.end {
        return demand::same("the terminal body, unchanged", end, job).about(exchange);
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
            // Whoever could read the article must find the job completed.
            poll(context, known).await?;
            let status = known.end.as_ref().map_or("unfinished", |(_, status)| status.as_str());
            ensure(status == "completed", "a completed job behind a readable article", || status.to_owned())?;
            let id = known.end.as_ref().map(|(end, _)| end["article_id"].clone()).unwrap_or_default();
            demand::same("id of the article", &id, &article["id"])
        }
    }
}

async fn entry(context: &Context, known: &mut Known) -> Verdict {
    let entries = lists::entries_of(context, &known.job_id).await?;
    ensure(entries.len() == 1, "exactly one pipeline entry of the job", || entries.len().to_string())?;
    demand::same("topic of the entry", &json!(known.topic), &entries[0]["topic"])?;
    let expected = match known.end.as_ref().map(|(_, status)| status.as_str()) {
        Some("completed") => "ready",
        Some("failed") => "failed",
        Some("cancelled") => "cancelled",
        _ => return Ok(()),
    };
    demand::same("status of the entry", &json!(expected), &entries[0]["status"])
}
