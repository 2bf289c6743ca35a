//! How far a job is.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Exchange, Facts, Finding, Requirement, Verdict, demand};
use crate::spec::Document;
use crate::steps;
use crate::steps::job_details::shown;
use crate::steps::observing::finding;
use crate::steps::orders::plain;

const JOBS: &[Capability] = &[Capability::JOBS];

const SOURCE: &str = "openapi.yaml, get_job and Job";

/// Jobs that are queued at once.
const CROWD: usize = 24;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("jobs.progress.ends", "progress is 100 when a job is completed.", SOURCE, progress_ends)
            .drawn("plain topics", Cases::Divided(16), plain)
            .needs(JOBS),
        Requirement::must(
            "jobs.progress.begins",
            "progress is 0 while a job is queued, and stays 0 if the job is cancelled before it begins.",
            "openapi.yaml, Job, x-conformance job-progress, and progress",
            crowd,
        )
        .needs(JOBS)
        .observing_also(progress),
    ]
}

async fn progress_ends(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let (job, _) = steps::written(&context, &body).await?;
    demand::same("progress", &json!(100), &job["progress"])
}

/// More jobs at once than a writer begins, read and cancelled right away, for the observer to look at.
async fn crowd(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Standing in a queue");
    body["target_word_count"] = json!(5_000);
    let queued = futures::future::try_join_all((0..CROWD).map(|_| steps::queue(&context, &body))).await?;
    // The last are begun last.
    let mut jobs = queued.iter().rev();
    if let Some(last) = jobs.next() {
        context.send(steps::cancel_job(last)).await?;
    }
    let rest: Vec<&String> = jobs.collect();
    futures::future::try_join_all(rest.iter().map(|job_id| context.send(steps::get_job(job_id)))).await?;
    futures::future::try_join_all(rest.iter().map(|job_id| context.send(steps::cancel_job(job_id)))).await.map(|_| ())
}

fn progress(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let job = shown(exchange)?;
    let is_untouched = job["status"] == "queued" || (job["status"] == "cancelled" && job["attempts"] == 0);
    // A server that does not count the work says nothing.
    let progress = job.get("progress").filter(|progress| is_untouched && !progress.is_null())?;
    finding(*progress == json!(0), "progress 0 of a job that was not begun", exchange)
}
