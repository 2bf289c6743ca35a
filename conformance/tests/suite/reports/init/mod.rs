//! `init`, driven through its standard input.

mod answers;
#[cfg(unix)]
mod commands;

use std::io::Write;
use std::process::{Command, Stdio};

use contentgen_conformance::cli::ConfigurationFile;

use crate::support::cli::{Ended, Workplace, ended};

pub(crate) fn init(place: &Workplace, arguments: &[&str], answers: &str) -> Ended {
    answered(place.command(&[&["init"], arguments].concat()), answers)
}

/// Runs `init` with only the workplace in the search path, so that an answer cannot run a program by chance.
pub(crate) fn init_alone(place: &Workplace, answers: &str) -> Ended {
    let mut command = place.command(&["init"]);
    command.env("PATH", place.path());
    answered(command, answers)
}

fn answered(mut command: Command, answers: &str) -> Ended {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that fails at once does not read its answers.
    let _ = child.stdin.take().unwrap().write_all(answers.as_bytes());
    ended(&child.wait_with_output().unwrap())
}

pub(crate) fn written(place: &Workplace) -> ConfigurationFile {
    toml::from_str(&place.read("conformance.toml")).unwrap()
}
