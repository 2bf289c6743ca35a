//! `jobs`: shows or cancels a job.

use contentgen_sdk::types::Job;

use super::raw::raw;
use crate::arguments::Jobs;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;
use crate::text::{facts, time};

/// Shows the state of a job, after cancelling it if that was asked for.
pub(super) async fn jobs(options: &Jobs, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let job = match options {
        Jobs::Get(job) => connection.client.get_job(&job.job_id).send().await?,
        Jobs::Cancel(job) => connection.client.cancel_job(&job.job_id).send().await?,
    };
    screen.result(|| state(&job), &raw(&job))
}

/// Formats a job for people.
fn state(job: &Job) -> String {
    facts([
        ("job", Some(job.job_id.clone())),
        ("status", Some(job.status.to_string())),
        ("progress", job.progress.map(|percent| format!("{percent}%"))),
        ("topic", Some(job.topic.clone())),
        ("website", Some(job.website_id.clone())),
        ("article", job.article_id.clone()),
        ("error", job.error.as_ref().map(|error| format!("{} ({})", error.message, error.code))),
        ("queued", Some(time(job.created_at))),
        ("ended", job.finished_at.map(time)),
    ])
}
