//! Database of a command: `migrate`, `backup`, and access for the other commands.

use std::fs::DirBuilder;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::signal::unix::SignalKind;
use tokio_util::sync::CancellationToken;

use super::failure::{Exit, Failure};
use super::output::print;
use super::serve::listen;
use crate::app::{App, Limits};
use crate::clock::SlewedClock;
use crate::config::{Backup, DEFAULT_DATABASE, DEFAULT_FOLDER, Database, Owner};
use crate::domain::account::Account;
use crate::randomness::SystemRandomness;
use crate::storage::{self, BackupError, BackupProgress};

/// Time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
const MIB: u64 = 1024 * 1024;

pub(super) fn migrate(database: &Database) -> Result<(), Failure> {
    make_default_folder(&database.database)?;
    let version = storage::migrate(&database.database, &options(database))?;
    print(&format!("{} has schema version {version}\n", storage::shown(&database.database)))
}

/// Opens the use cases on a database, and finds the account that a command is about.
pub(super) async fn open_account(owner: &Owner) -> Result<(App, Account), Failure> {
    let app = open(&owner.database)?;
    let account = app.account(&owner.account).await?;
    Ok((app, account))
}

/// Opens the use cases on a database, for a short command.
pub(super) fn open(database: &Database) -> Result<App, Failure> {
    make_default_folder(&database.database)?;
    let clock = Arc::<SlewedClock>::default();
    let options = storage::Options { clock: Some(Arc::clone(&clock)), ..options(database) };
    let store = storage::open(&database.database, &options)?;
    Ok(App::new(store, clock, Arc::new(SystemRandomness), Limits::default(), CancellationToken::new()))
}

fn options(database: &Database) -> storage::Options {
    storage::Options { secret_key: database.secret_key.source(), ..storage::Options::new(Arc::new(SystemRandomness)) }
}

/// Creates the default database's folder, for its owner only. Does not create any other folder, because a missing one is probably a mistyped path.
pub(super) fn make_default_folder(database: &str) -> Result<(), Failure> {
    if database != DEFAULT_DATABASE || Path::new(DEFAULT_FOLDER).is_dir() {
        return Ok(());
    }
    DirBuilder::new().mode(0o700).create(DEFAULT_FOLDER).map_err(|error| {
        let message = format!(
            "cannot create the folder {DEFAULT_FOLDER} here ({error}); choose another path with --database sqlite:PATH"
        );
        Failure::new(Exit::CannotStart, message)
    })
}

/// Copies the database while a server uses it, and reports the progress.
pub(super) async fn backup(options: Backup) -> Result<(), Failure> {
    let (mut terminate, mut interrupt) = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    let interrupted = CancellationToken::new();
    let Backup { database, file } = options;
    let (name, stop) = (file.display().to_string(), interrupted.clone());
    let copying = tokio::task::spawn_blocking(move || {
        let mut progress_report = Progress::default();
        storage::backup(&database, &file, &mut |progress| {
            progress_report.report(progress);
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

/// Reports the progress.
#[derive(Default)]
struct Progress {
    last: Option<Instant>,
}

impl Progress {
    /// Prints one line each second, and one at the end.
    fn report(&mut self, progress: BackupProgress) {
        let is_early = self.last.is_some_and(|last| last.elapsed() < REPORT_INTERVAL);
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
