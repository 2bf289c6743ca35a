//! `report diff`: shows the differences between two runs.

use std::io::Write;
use std::path::Path;

use super::arguments::{DiffArguments, DiffFormat};
use super::exit::Exit;
use crate::report::{RecordedReport, ReportDiff};
use crate::runner::SetUpError;

/// Prints the differences. The error is one sentence.
pub(super) fn diff(arguments: &DiffArguments, output: &mut impl Write) -> Result<Exit, SetUpError> {
    let read = |path: &Path| RecordedReport::read(path).map_err(|error| SetUpError::Configuration(error.to_string()));
    let diff = ReportDiff::new(&read(&arguments.old)?, &read(&arguments.new)?);
    // A closed pipe must not turn a verdict into a crash.
    let _ = write!(output, "{}", shown(&diff, arguments.format));
    Ok(if diff.is_worse() && !arguments.exit_zero { Exit::NotConformant } else { Exit::Conformant })
}

/// Returns the differences in this format.
pub(super) fn shown(diff: &ReportDiff, format: DiffFormat) -> String {
    match format {
        DiffFormat::Markdown => diff.markdown(),
        DiffFormat::Text => diff.text(),
        DiffFormat::Json => diff.json(),
    }
}
