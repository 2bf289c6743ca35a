//! Erasing leads by a command that the configuration names.

use std::path::PathBuf;

use futures::future::{BoxFuture, FutureExt};

use super::command::execute;
use crate::check::LeadEraser;

/// Runs a command, in which `{lead_id}` stands for the lead.
#[derive(Debug)]
pub(super) struct CommandEraser {
    /// Working folder of the command; its relative paths start here.
    pub(super) folder: PathBuf,
    pub(super) command: Vec<String>,
}

impl LeadEraser for CommandEraser {
    fn erase(&self, lead_id: String) -> BoxFuture<'_, Result<(), String>> {
        async move { execute(&self.folder, &self.command, &[("{lead_id}", &lead_id)]).await.map(drop) }.boxed()
    }
}
