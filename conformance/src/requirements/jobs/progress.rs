//! Progress of a job.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Exchange, Facts, Finding, Requirement, Verdict, demand, ensure_met};
use crate::spec::Document;
use crate::steps;
use crate::steps::cancelled::longest;
use crate::steps::job_details::shown;
use crate::steps::observing::finding;
use crate::steps::orders::plain;
use crate::steps::queue_room::queue_room;

const JOBS: &[Capability] = &[Capability::JOBS];

/// Number of jobs that are queued at once, if the queue has room for them.
const CROWD: usize = 24;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.progress.ends",
            "If a completed job has progress, it is 100.",
            &[Sentence("If given, `progress` is 0 when queued and 100 when completed.")],
            progress_ends,
        )
        .drawn("plain topics", Cases::Divided(16), plain)
        .needs(JOBS),
        Requirement::new(
            "jobs.progress.begins",
            "progress is 0 while a job is queued, and stays 0 if the job is cancelled before it begins.",
            &[
                Sentence("If given, `progress` is 0 when queued and 100 when completed."),
                Sentence("A failed or cancelled job keeps its last value."),
            ],
            crowd,
        )
        .needs(JOBS)
        .observing_also(progress),
    ]
}

async fn progress_ends(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let (job, _) = steps::written(&context, &body).await?;
    ensure_met(!job["progress"].is_null(), "the job has no progress")?;
    demand::same("progress", &json!(100), &job["progress"])
}

/// Queues more jobs than a writer begins at once, then reads and cancels them: the observer checks the responses.
async fn crowd(context: Context, _: Value) -> Verdict {
    let body = longest(&context, steps::quiet_request(&context, "Standing in a queue"));
    let crowd = CROWD.min(queue_room(context.document()));
    let queued = futures::future::try_join_all((0..crowd).map(|_| steps::queue(&context, &body))).await?;
    // The writer begins the last one last.
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
    // A server may leave `progress` out.
    let progress = job.get("progress").filter(|progress| is_untouched && !progress.is_null())?;
    finding(*progress == json!(0), "progress 0 of a job that has not begun", exchange)
}
