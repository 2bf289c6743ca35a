//! Putting the reports on disk.
//!
//! What stands in them is rendered in the files of their names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::model::Report;
use super::saved::{FOLDER as SAVED, SavedFailure};
use super::{badge, har, html, json, junit, markdown};
use crate::runner::{Outcome, Run};

/// The folder of HTTP archives below a report folder.
const ARCHIVES: &str = "har";

/// A report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A folder or file is not writable.
    #[error("cannot write {path}")]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The XML could not be made.
    #[error("cannot render junit.xml")]
    Junit(#[from] quick_junit::SerializeError),
    /// The page could not be made.
    #[error("cannot render report.html")]
    Html(#[from] askama::Error),
}

/// Writes every report into `folder`, which is made when it is missing: `report.json`, `report.html`, `junit.xml`,
/// `summary.md`, `badge.svg`, and for each broken requirement `har/ID.har` and `failures/ID.json`. What an earlier run
/// left there about a requirement that holds now is removed.
///
/// # Errors
/// When the folder or a file cannot be written.
pub fn write(run: &Run, report: &Report, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    make(folder)?;
    let files = [
        ("report.html", html::render(report, &folder.join(SAVED))?),
        ("report.json", json::render(report)),
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
    per_requirement(run, folder)?;
    Ok(written)
}

fn per_requirement(run: &Run, folder: &Path) -> Result<(), ReportError> {
    for result in &run.results {
        let id = result.requirement.id;
        let archive = folder.join(ARCHIVES).join(format!("{id}.har"));
        let saved = folder.join(SAVED).join(format!("{id}.json"));
        if let (Some(failure), Some(repeatable)) = (result.outcome.failure(), SavedFailure::of(run, result)) {
            make(&folder.join(ARCHIVES))?;
            put(&archive, &har::render(run, failure))?;
            make(&folder.join(SAVED))?;
            put(&saved, &json::pretty(&repeatable))?;
        } else if matches!(result.outcome, Outcome::Passed) {
            remove(&archive)?;
            remove(&saved)?;
        }
    }
    Ok(())
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
