//! `backup`: copies the database while a server uses it, and reports the progress.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tokio::signal::unix::SignalKind;
use tokio_util::sync::CancellationToken;

use super::failure::{Exit, Failure};
use super::output::print;
use super::serve::listen;
use crate::config::Backup;
use crate::storage::{self, BackupError, BackupProgress};

/// Time between two progress reports.
const TOLD_EVERY: Duration = Duration::from_secs(1);
const MIB: u64 = 1024 * 1024;

pub(super) async fn backup(options: Backup) -> Result<(), Failure> {
    let (mut terminate, mut interrupt) = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    let interrupted = CancellationToken::new();
    let Backup { database, file } = options;
    let (name, stop) = (file.display().to_string(), interrupted.clone());
    let copying = tokio::task::spawn_blocking(move || {
        let mut told = Told::default();
        storage::backup(&database, &file, &mut |progress| {
            told.tell(progress);
            if stop.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    });
    tokio::pin!(copying);
    let copied = tokio::select! {
        copied = &mut copying => copied,
        _ = terminate.recv() => { interrupted.cancel(); copying.await }
        _ = interrupt.recv() => { interrupted.cancel(); copying.await }
    };
    copied.map_err(|error| Failure::new(Exit::Failed, format!("the backup failed: {error}")))??;
    print(&format!("backup: {name}\n"))
}

/// The progress reported so far.
#[derive(Default)]
struct Told {
    last: Option<Instant>,
}

impl Told {
    /// Prints one line each second, and one at the end.
    fn tell(&mut self, progress: BackupProgress) {
        let is_early = self.last.is_some_and(|last| last.elapsed() < TOLD_EVERY);
        if is_early && progress.copied < progress.total {
            return;
        }
        self.last = Some(Instant::now());
        let (copied, total) = (progress.copied / MIB, progress.total.div_ceil(MIB));
        // Ignore an error: standard error may be closed.
        let _ = writeln!(std::io::stderr().lock(), "copied {copied} of {total} MiB");
    }
}

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Self {
        let exit = match error {
            BackupError::Database(error) => return error.into(),
            BackupError::Postgres { .. } | BackupError::Exists { .. } => Exit::Usage,
            BackupError::Missing { .. } | BackupError::NotWritten { .. } => Exit::CannotStart,
            BackupError::NotCopied(_) | BackupError::Interrupted => Exit::Failed,
        };
        Self::new(exit, error.to_string())
    }
}
