//! `completions`: prints a completion script for a shell.

use clap::CommandFactory as _;
use serde_json::json;

use crate::arguments::{Arguments, Shell};
use crate::failure::Failure;
use crate::output::Screen;

/// Prints the script. Builds it in memory first, because the generator panics on a write error.
pub(super) fn completions(options: &Shell, screen: Screen) -> Result<(), Failure> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    let name = command.get_name().to_owned();
    clap_complete::generate(options.shell, &mut command, name, &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    screen.result(|| script.clone(), &json!({ "shell": options.shell.to_string(), "script": script }))
}
