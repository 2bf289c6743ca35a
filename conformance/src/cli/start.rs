//! The entry point: parses, dispatches, converts errors to one sentence and an exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use super::arguments::{Arguments, Command, ReportCommand, SchemaArguments, SchemaOf};
use super::exit::Exit;
use super::file::ConfigurationFile;
use super::stopped_commands::StoppedCommands;
use super::{certificate, compare, diff, explain, init, list, listen, prove, receiver, replay, run};
use crate::report::{Certificate, Report, on_one_line};
use crate::runner::SetUpError;

/// Runs the command line of this process and returns its exit code.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let wanted = !error.use_stderr();
            // A closed pipe changes nothing about the exit code.
            let _ = error.print();
            return if wanted { Exit::Conformant.into() } else { Exit::Usage.into() };
        }
    };
    let mut output = io::stdout().lock();
    let written = match arguments.command {
        Command::Run(arguments) => {
            drop(output);
            let mut stopped = StoppedCommands::begin();
            return start(run::run(&arguments, &mut stopped)).into();
        }
        Command::Replay(arguments) => {
            drop(output);
            let _stopped = StoppedCommands::begin();
            return start(replay::replay(&arguments)).into();
        }
        Command::Listen(arguments) => {
            drop(output);
            let _stopped = StoppedCommands::begin();
            return start(listen::listen(&arguments)).into();
        }
        Command::Receiver(arguments) => {
            drop(output);
            let mut stopped = StoppedCommands::begin();
            return start(receiver::receiver(&arguments, &mut stopped)).into();
        }
        Command::Init(arguments) => {
            return start(init::init(&arguments, &mut io::stdin().lock(), &mut output)).into();
        }
        Command::Compare(arguments) => {
            drop(output);
            let _stopped = StoppedCommands::begin();
            return start(compare::compare(&arguments)).into();
        }
        Command::Report(ReportCommand::Diff(arguments)) => {
            return end(diff::diff(&arguments, &mut output)).into();
        }
        Command::VerifyCertificate(arguments) => {
            return end(certificate::verify(&arguments, &mut output)).into();
        }
        Command::Prove(arguments) => {
            drop(output);
            let _stopped = StoppedCommands::begin();
            return end(prove::prove(&arguments)).into();
        }
        Command::List(arguments) => list::list(&arguments, &mut output).map(|()| Exit::Conformant),
        Command::Explain { id } => explain::explain(&id, &mut output, &mut io::stderr().lock()),
        Command::Schema(arguments) => schema(&arguments, &mut output).map(|()| Exit::Conformant),
    };
    // A reader may close the pipe early.
    written.unwrap_or(Exit::Conformant).into()
}

fn schema(arguments: &SchemaArguments, output: &mut impl Write) -> io::Result<()> {
    let schema = match arguments.of {
        SchemaOf::Configuration if !arguments.report => schemars::schema_for!(ConfigurationFile),
        SchemaOf::Configuration | SchemaOf::Report => schemars::schema_for!(Report),
        SchemaOf::Certificate => schemars::schema_for!(Certificate),
    };
    writeln!(output, "{:#}", schema.as_value())
}

fn start(command: impl Future<Output = Result<Exit, SetUpError>>) -> Exit {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let ended = runtime
        .map_err(|error| SetUpError::Configuration(format!("cannot start the async runtime: {error}")))
        .and_then(|runtime| runtime.block_on(command));
    end(ended)
}

/// Prints an error as one sentence.
fn end(ended: Result<Exit, SetUpError>) -> Exit {
    match ended {
        Ok(exit) => exit,
        Err(error) => {
            let mut sentence = error.to_string();
            if let SetUpError::Document(source) = &error {
                sentence = format!("{sentence}: {source}");
            }
            // The output may be closed; the exit code shows the error, too.
            let _ = writeln!(io::stderr().lock(), "error: {}", on_one_line(&sentence));
            Exit::from(&error)
        }
    }
}
