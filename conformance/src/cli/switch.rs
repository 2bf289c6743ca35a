//! Pauses a website with commands of the configuration.

use std::path::PathBuf;

use futures::future::{BoxFuture, FutureExt};

use super::command::execute;
use super::placeholder::WEBSITE_ID;
use crate::check::WebsiteSwitch;

/// Runs the commands; `{website_id}` is replaced by the website.
#[derive(Debug)]
pub(super) struct CommandSwitch {
    /// Working folder of the commands.
    pub(super) folder: PathBuf,
    pub(super) pause: Vec<String>,
    pub(super) resume: Vec<String>,
}

impl CommandSwitch {
    async fn run(&self, command: &[String], website_id: &str) -> Result<(), String> {
        execute(&self.folder, command, &[(&WEBSITE_ID, website_id)]).await.map(|_| ())
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
