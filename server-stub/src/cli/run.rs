//! Reads the command line, runs the command, and returns its exit code.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use super::failure::{Exit, Failure};
use super::logging::{self, Log};
use super::{account, backup, hook, serve, voice, website, write, writer};
use crate::app::{App, DOCUMENT_TEXT, Limits};
use crate::clock::SlewedClock;
use crate::config::{Arguments, Command, DEFAULT_DATABASE, DEFAULT_FOLDER, Database, Owner, Voice, Writer};
use crate::domain::account::Account;
use crate::randomness::SystemRandomness;
use crate::storage;

/// Returns the definition of the command line, for documentation.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the program with these arguments; the first is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(mut error) => {
            hide_secret(&mut error);
            // Help and version are requested output; all else is a mistake on the command line.
            let is_asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            let _ = error.print();
            return if is_asked_for { ExitCode::SUCCESS } else { ExitCode::from(Exit::Usage as u8) };
        }
    };
    match execute(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Ignore an error: there is no other way to report it.
            let _ = writeln!(std::io::stderr().lock(), "error: {failure}");
            ExitCode::from(failure.exit as u8)
        }
    }
}

/// Removes a mistyped key from the message: it still reveals part of a secret.
fn hide_secret(error: &mut clap::Error) {
    let is_secret = matches!(
        error.get(ContextKind::InvalidArg),
        Some(ContextValue::String(argument))
            if argument.starts_with("--secret-key ") || argument.starts_with("--model-key ")
    );
    if is_secret {
        error.insert(ContextKind::InvalidValue, ContextValue::String("(hidden)".to_owned()));
    }
}

fn execute(arguments: Arguments) -> Result<(), Failure> {
    // Dropped last, so that the last lines of other parts are written.
    let log = logging::start(&arguments.log, arguments.log_format)?;
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| Failure::new(Exit::Failed, format!("cannot start the async runtime: {error}")))?;
    let outcome = run_command(&runtime, arguments.command, &log);
    // Tasks that still wait for an unresponsive database end with the process.
    runtime.shutdown_background();
    outcome
}

fn run_command(runtime: &Runtime, command: Command, log: &Log) -> Result<(), Failure> {
    match command {
        Command::Serve(options) => runtime.block_on(serve::serve(*options, log)),
        Command::Migrate(database) => {
            make_default_folder(&database.database)?;
            let version = storage::migrate(&database.database, &options(&database))?;
            print(&format!("{} has schema version {version}\n", storage::shown(&database.database)))
        }
        Command::Backup(options) => runtime.block_on(backup::backup(options)),
        Command::Account(command) => runtime.block_on(account::account(command)),
        Command::Website(command) => runtime.block_on(website::run(command)),
        Command::Key(command) => runtime.block_on(account::key(command)),
        Command::Hook(command) => runtime.block_on(hook::run(command)),
        Command::Lead(command) => runtime.block_on(account::lead(command)),
        Command::User(command) => runtime.block_on(account::user(command)),
        Command::Write(options) => runtime.block_on(write::write(&options)),
        Command::Voice(Voice::Check(options)) => voice::check(&options),
        Command::Voice(Voice::Learn(options)) => voice::learn(&options),
        Command::Voice(Voice::Template) => print(&voice::template()),
        Command::Writer(Writer::Check(options)) => runtime.block_on(writer::check(&options)),
        Command::Openapi => print(DOCUMENT_TEXT),
    }
}

/// Opens the use cases on a database, and finds the account that a command is about.
pub(super) async fn open_account(owner: &Owner) -> Result<(App, Account), Failure> {
    let app = open(&owner.database).await?;
    let account = app.account(&owner.account).await?;
    Ok((app, account))
}

/// Opens the use cases on a database, for a short command.
pub(super) async fn open(database: &Database) -> Result<App, Failure> {
    make_default_folder(&database.database)?;
    let clock = Arc::<SlewedClock>::default();
    let options = storage::Options { clock: Some(Arc::clone(&clock)), ..options(database) };
    let store = storage::open(&database.database, &options)?;
    Ok(App::new(store, clock, Arc::new(SystemRandomness), Limits::default(), CancellationToken::new()).await?)
}

fn options(database: &Database) -> storage::Options {
    storage::Options { secret_key: database.secret_key.source(), ..storage::Options::new(Arc::new(SystemRandomness)) }
}

/// Creates the default database's folder. Does not create any other folder, because a missing one is probably a mistyped path.
pub(super) fn make_default_folder(database: &str) -> Result<(), Failure> {
    if database != DEFAULT_DATABASE || Path::new(DEFAULT_FOLDER).is_dir() {
        return Ok(());
    }
    std::fs::create_dir(DEFAULT_FOLDER).map_err(|error| {
        let message = format!(
            "cannot create the folder {DEFAULT_FOLDER} here ({error}); choose another path with --database sqlite:PATH"
        );
        Failure::new(Exit::CannotStart, message)
    })
}

/// Writes to standard output. A closed reader, such as `head`, is not an error.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Failed, format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
