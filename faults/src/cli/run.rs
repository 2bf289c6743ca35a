//! Reads the command line, runs the command and returns the exit code.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;
use tokio::runtime::Builder;

use super::arguments::{Arguments, Command, Mistake};
use super::{list, model, serve};

/// Exit codes for a wrong command line and for a failure.
const USAGE: u8 = 2;
const FAILED: u8 = 3;

/// Runs the program with these arguments, beginning with the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(USAGE) } else { ExitCode::SUCCESS };
        }
    };
    match execute(&arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let mut text = error.to_string();
            let mut cause = error.source();
            while let Some(inner) = cause {
                text = format!("{text}: {inner}");
                cause = inner.source();
            }
            let _ = writeln!(io::stderr().lock(), "error: {text}");
            ExitCode::from(if error.is::<Mistake>() { USAGE } else { FAILED })
        }
    }
}

fn execute(command: &Command) -> Result<(), Box<dyn Error>> {
    match command {
        Command::List(arguments) => listed(list::list(arguments)),
        Command::Model(arguments) if arguments.list => listed(model::list()),
        Command::Model(arguments) => {
            Builder::new_multi_thread().enable_all().build()?.block_on(model::model(arguments))
        }
        Command::Serve(arguments) => {
            Builder::new_multi_thread().enable_all().build()?.block_on(serve::serve(arguments))
        }
    }
}

/// Ignores that a reader of only the first lines closes the pipe.
fn listed(listed: io::Result<()>) -> Result<(), Box<dyn Error>> {
    match listed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        listed => Ok(listed?),
    }
}
