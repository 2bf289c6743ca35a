//! `man`: manual pages, generated from the definition of the command line.

use std::path::Path;

use clap::CommandFactory as _;
use clap_mangen::Man as ManualPage;
use serde_json::json;

use crate::arguments::{Arguments, Man};
use crate::failure::{Exit, Failure};
use crate::output::Screen;

/// Prints one page, or writes all of them.
pub(super) fn man(options: &Man, screen: Screen) -> Result<(), Failure> {
    let mut program = Arguments::command();
    // Sets the full names of the commands for the titles, and adds the global options.
    program.build();
    if let Some(folder) = &options.output_dir {
        return write_all(&program, folder, screen);
    }
    let mut command = &program;
    for name in &options.command {
        command = command.find_subcommand(name).ok_or_else(|| {
            Failure::usage(format!("unknown command {name:?}")).advise("`contentgen help` lists the commands")
        })?;
    }
    let text = page(command)?;
    screen.result(|| text.clone(), &json!({ "page": text }))
}

/// Renders a page in the manual's format.
fn page(command: &clap::Command) -> Result<String, Failure> {
    let mut text = Vec::new();
    let rendered = ManualPage::new(command.clone()).render(&mut text);
    rendered.map_err(|error| Failure::new(Exit::Failed, format!("cannot render the manual page: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Writes the pages of the program and of all commands.
fn write_all(program: &clap::Command, folder: &Path, screen: Screen) -> Result<(), Failure> {
    let mut commands = vec![program];
    let mut count = 0;
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands().filter(|command| command.get_name() != "help"));
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = folder.join(format!("{name}.1"));
        std::fs::write(&path, page(command)?).map_err(|error| {
            let message = format!("{} cannot be written: {error}", path.display());
            Failure::new(Exit::Failed, message).advise("choose another folder with --output-dir")
        })?;
        count += 1;
    }
    let folder = folder.display().to_string();
    screen.note(&format!("wrote {count} pages to {folder}"), "written", &json!({ "folder": folder, "pages": count }));
    Ok(())
}
