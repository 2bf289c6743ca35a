//! Pausing a website by commands that the configuration names.

use std::path::PathBuf;

use futures::future::{BoxFuture, FutureExt};

use super::command::execute;
use crate::check::WebsiteSwitch;

/// Runs a command for each thing; `{website_id}` stands for the website.
#[derive(Debug)]
pub(super) struct CommandSwitch {
    /// Where commands run, and what their relative paths start from.
    pub(super) folder: PathBuf,
    pub(super) pause: Vec<String>,
    pub(super) resume: Vec<String>,
}

impl CommandSwitch {
    async fn run(&self, command: &[String], website_id: &str) -> Result<(), String> {
        execute(&self.folder, command, &[("{website_id}", website_id)]).await.map(|_| ())
    }
}

impl WebsiteSwitch for CommandSwitch {
    fn pause(&self, website_id: String) -> BoxFuture<'_, Result<(), String>> {
        async move { self.run(&self.pause, &website_id).await }.boxed()
    }

    fn resume(&self, website_id: String) -> BoxFuture<'_, Result<(), String>> {
        async move { self.run(&self.resume, &website_id).await }.boxed()
    }
}
