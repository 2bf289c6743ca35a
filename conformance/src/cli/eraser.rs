//! Erases leads with a command of the configuration.

use std::path::PathBuf;

use futures::future::{BoxFuture, FutureExt};

use super::command::execute;
use super::placeholder::LEAD_ID;
use crate::check::LeadEraser;

/// Runs a command; `{lead_id}` in it is replaced by the lead's id.
#[derive(Debug)]
pub(super) struct CommandEraser {
    /// Working folder of the command.
    pub(super) folder: PathBuf,
    pub(super) command: Vec<String>,
}

impl LeadEraser for CommandEraser {
    fn erase(&self, lead_id: String) -> BoxFuture<'_, Result<(), String>> {
        async move { execute(&self.folder, &self.command, &[(&LEAD_ID, &lead_id)]).await.map(drop) }.boxed()
    }
}
