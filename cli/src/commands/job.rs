//! `job`: shows the state of a job.

use contentgen_sdk::types;

use super::raw::raw;
use crate::arguments::Job;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;
use crate::text::{facts, time};

/// Shows the current state of a job.
pub(super) async fn job(options: &Job, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let job = connection.client.get_job(&options.job_id).send().await?;
    screen.result(|| state(&job), &raw(&job))
}

/// Formats a job for people.
pub(super) fn state(job: &types::Job) -> String {
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
