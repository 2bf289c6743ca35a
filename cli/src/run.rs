//! Parses the command line, runs the command, and reports its result.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};

use crate::arguments::Arguments;
use crate::commands;
use crate::failure::{Exit, Failure};
use crate::output::{Screen, tell_requests};

/// Returns the definition of the command line, for generators of documentation.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let arguments = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => {
            return ended_early(
                &error,
                words.iter().any(|word| word.to_string_lossy().split('=').next() == Some("--json")),
            );
        }
    };
    let screen = Screen::new(arguments.global.json.as_deref(), arguments.global.quiet);
    if arguments.global.verbose {
        tell_requests(screen);
    }
    match run(arguments, screen) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            screen.complain(&failure);
            failure.exit.into()
        }
    }
}

/// Runs a command on one thread, because it waits most of the time.
fn run(arguments: Arguments, screen: Screen) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| Failure::new(Exit::Failed, format!("cannot start the async runtime: {error}")))?;
    runtime.block_on(commands::execute(arguments, screen))
}

/// Prints help or the version if requested, or the error of the command line.
fn ended_early(error: &clap::Error, is_json: bool) -> ExitCode {
    if !matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) && is_json {
        let failure = Failure::usage(message(error)).advise("`contentgen --help` lists the commands and options");
        Screen::new(Some(""), false).complain(&failure);
        return failure.exit.into();
    }
    // If this write fails, there is no other place to report it.
    let _printed = error.print();
    if error.use_stderr() { Exit::Usage.into() } else { ExitCode::SUCCESS }
}

/// Returns the error of the command line in one sentence: the first paragraph of clap's text.
fn message(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "a command is missing".to_owned();
    }
    let text = error.render().to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let sentence = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    sentence.trim_start_matches("error: ").to_owned()
}
