//! Runs the command: asks, and writes the file.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::Path;

use super::ask::ask;
use super::file::render;
use super::questions::Questions;
use crate::cli::arguments::InitArguments;
use crate::cli::exit::Exit;
use crate::cli::file::ConfigurationFile;
use crate::runner::SetUpError;

/// Asks on `input` and writes the file. The error is one sentence.
pub(in crate::cli) async fn init(
    arguments: &InitArguments,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<Exit, SetUpError> {
    let path = &arguments.file;
    if path.exists() && !arguments.force {
        return Err(SetUpError::Configuration(format!(
            "{} already exists: name another file, or overwrite it with --force",
            path.display()
        )));
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = std::path::absolute(folder)
        .map_err(|error| SetUpError::Configuration(format!("{}: {error}", folder.display())))?;
    let mut questions = Questions::new(input, output, arguments.yes);
    let answers = ask(&mut questions, &folder).await?;
    let text = render(&answers);
    let parsed: Result<ConfigurationFile, _> = toml::from_str(&text);
    parsed.map_err(|error| SetUpError::Configuration(format!("the answers are not a valid configuration: {error}")))?;
    write(path, &text, arguments.force).map_err(|error| {
        SetUpError::Configuration(format!("cannot write {}: {error}; name another file", path.display()))
    })?;
    // A closed pipe must not turn a written file into a failure.
    let _ = writeln!(
        output,
        "Wrote {path}. Set {key} to a key of the server, then:\n  contentgen-conformance run --config {path}",
        path = path.display(),
        key = answers.api_key_env
    );
    Ok(Exit::Conformant)
}

/// Writes the file. Without `force`, keeps a file that was created meanwhile.
fn write(path: &Path, text: &str, force: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    options.open(path)?.write_all(text.as_bytes())
}
