//! Reads the command line, runs the command, and returns its exit code.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};
use tokio::runtime::{Builder, Runtime};

use super::failure::{Exit, Failure};
use super::logging::{self, Log};
use super::output::print;
use super::{account, database, hook, serve, voice, voice_check, website, write, writer};
use crate::app::DOCUMENT_TEXT;
use crate::config::{Arguments, Command, Voice, Writer};

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
        Command::Migrate(options) => database::migrate(&options),
        Command::Backup(options) => runtime.block_on(database::backup(options)),
        Command::Account(command) => runtime.block_on(account::account(command)),
        Command::Website(command) => runtime.block_on(website::run(command)),
        Command::Key(command) => runtime.block_on(account::key(command)),
        Command::Hook(command) => runtime.block_on(hook::run(command)),
        Command::Lead(command) => runtime.block_on(account::lead(command)),
        Command::User(command) => runtime.block_on(account::user(command)),
        Command::Write(options) => runtime.block_on(write::write(&options)),
        Command::Voice(Voice::Check(options)) => voice_check::check(&options),
        Command::Voice(Voice::Learn(options)) => voice::learn(&options),
        Command::Voice(Voice::Template) => print(&voice::template()),
        Command::Writer(Writer::Check(options)) => runtime.block_on(writer::check(&options)),
        Command::Openapi => print(DOCUMENT_TEXT),
    }
}
