//! Writes the reports to disk.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::har::Archives;
use super::model::Report;
use super::saved::{FOLDER as SAVED, SavedFailure};
use super::visible::pretty;
use super::{badge, har, html, junit, markdown};
use crate::runner::{Outcome, RequirementResult, Run};

/// Name of the folder of HTTP archives in a report folder.
const ARCHIVES: &str = "har";

/// A report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A folder or file is not writable.
    #[error("cannot write {path}")]
    Write {
        /// Path of the folder or file.
        path: PathBuf,
        /// The error.
        #[source]
        source: io::Error,
    },
    /// The XML could not be created.
    #[error("cannot render junit.xml")]
    Junit(#[from] quick_junit::SerializeError),
    /// The page could not be created.
    #[error("cannot render report.html")]
    Html(#[from] askama::Error),
}

/// Writes every report into `folder`, which is created if it is missing: `report.json`, `report.html`, `junit.xml`,
/// `summary.md`, `badge.svg`, `failures/ID.json` for each broken requirement, and `har/ID.har` for those that
/// `archives` selects. Removes files of an earlier run about requirements that hold now.
///
/// # Errors
/// Returns an error if the folder or a file cannot be written.
pub fn write(run: &Run, report: &Report, folder: &Path, archives: Archives) -> Result<Vec<PathBuf>, ReportError> {
    make(folder)?;
    let files = [
        ("report.html", html::render(report, &folder.join(SAVED), archives)?),
        ("report.json", pretty(report)),
        ("junit.xml", junit::render(report)?),
        ("summary.md", markdown::render(report)),
        ("badge.svg", badge::render(report)),
    ];
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        put(&path, &text)?;
        written.push(path);
    }
    per_requirement(run, folder, archives)?;
    Ok(written)
}

fn per_requirement(run: &Run, folder: &Path, archives: Archives) -> Result<(), ReportError> {
    for result in &run.results {
        let id = result.requirement.id;
        let is_passed = matches!(result.outcome, Outcome::Passed);
        let archive = folder.join(ARCHIVES).join(format!("{id}.har"));
        match archived(run, result, archives) {
            Some(text) => {
                make(&folder.join(ARCHIVES))?;
                put(&archive, &text)?;
            }
            None if is_passed || archives == Archives::None => remove(&archive)?,
            None => {}
        }
        let saved = folder.join(SAVED).join(format!("{id}.json"));
        if let Some(repeatable) = SavedFailure::of(run, result) {
            make(&folder.join(SAVED))?;
            put(&saved, &pretty(&repeatable))?;
        } else if is_passed {
            remove(&saved)?;
        }
    }
    Ok(())
}

/// Returns the archive of one requirement, if it gets one.
fn archived(run: &Run, result: &RequirementResult, archives: Archives) -> Option<String> {
    let kept = run.archived.get(result.requirement.id).filter(|_| archives == Archives::All);
    match result.outcome.failure() {
        _ if archives == Archives::None => None,
        Some(failure) => Some(har::of_failure(run, failure)),
        None => kept.map(|exchanges| har::of_first_case(run, result.requirement.clause, exchanges)),
    }
}

fn make(folder: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(folder).map_err(|source| ReportError::Write { path: folder.to_owned(), source })
}

fn put(path: &Path, text: &str) -> Result<(), ReportError> {
    fs::write(path, text).map_err(|source| ReportError::Write { path: path.to_owned(), source })
}

fn remove(path: &Path) -> Result<(), ReportError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(ReportError::Write { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}
