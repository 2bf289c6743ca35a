//! Putting the reports on disk.
//!
//! What stands in them is rendered in `json` and `junit`.

use std::path::{Path, PathBuf};

use super::model::Report;
use super::{json, junit};

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
        source: std::io::Error,
    },
    /// The XML could not be made.
    #[error("cannot render junit.xml")]
    Junit(#[from] quick_junit::SerializeError),
}

/// Writes `report.json` and `junit.xml` into `folder`, which is made when it is missing.
///
/// # Errors
/// When the folder or a file cannot be written.
pub fn write(report: &Report, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let failed = |path: &Path, source| ReportError::Write { path: path.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(|source| failed(folder, source))?;
    let files = [("report.json", json::render(report)), ("junit.xml", junit::render(report)?)];
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|source| failed(&path, source))?;
        written.push(path);
    }
    Ok(written)
}
