//! Status and progress of a job over successive polls.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{
    Capability, Cases, Context, Exchange, Facts, Finding, Requirement, Verdict, demand, ensure, ensure_met,
};
use crate::spec::Document;
use crate::steps;
use crate::steps::draws::plain;
use crate::steps::jobs::{longest, queue_room, seen_at_work, shown};
use crate::steps::observing::finding;

const JOBS: &[Capability] = &[Capability::JOBS];

/// Maximum number of polls in short succession, and the pause between two of them.
const MOST_LOOKS: usize = 400;
const PAUSE: Duration = Duration::from_millis(15);

/// Number of jobs that are queued at once, if the queue has room for them.
const CROWD: usize = 24;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
                    "jobs.poll.monotone",
                    "Over successive polls, the status and the progress of a job never go back.",
                    &[Sentence(
            "From one read to the next, `progress` and the rank of `status` (queued 0, in_progress 1, ended 2) never decrease.",
        )],
                    monotone,
                )
                .drawn("plain topics", Cases::Divided(8), plain)
                .needs(JOBS),
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

fn rank(status: &str) -> u8 {
    match status {
        "queued" => 0,
        "in_progress" => 1,
        _ => 2,
    }
}

async fn monotone(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let (job_id, mut exchange) = seen_at_work(&context, &body).await?;
    let mut last = (0, 0);
    for _ in 0..MOST_LOOKS {
        demand::status(&exchange, 200)?;
        let job = demand::json(&exchange)?;
        let status = demand::text(job, "status")?;
        let now = (rank(status), job["progress"].as_i64().unwrap_or(last.1));
        ensure(now.0 >= last.0 && now.1 >= last.1, "status and progress that never go back", || {
            format!("{status} {} after rank {} and progress {}", now.1, last.0, last.1)
        })?;
        last = now;
        if steps::is_terminal(status) {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
        exchange = context.send(steps::get_job(&job_id)).await?;
    }
    steps::finished(&context, &job_id).await.map(|_| ())
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
