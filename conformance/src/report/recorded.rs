//! Reads the `report.json` of an earlier run.
//!
//! Reads only the fields that `diff` compares. Unknown fields are allowed, so that a newer suite may add some.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::choices::ChoiceReport;
use super::model::{FORMAT, Report, Status};
use super::visible::on_one_line;
use crate::check::excerpt;
use crate::spec::Profile;

/// Maximum length of a report, in bytes.
const MAX_REPORT_BYTES: u64 = 64 * 1024 * 1024;
/// Maximum number of requirements of a report.
const MAX_REQUIREMENTS: usize = 10_000;
/// Maximum number of choices of a report.
const MAX_CHOICES: usize = 100_000;
/// Maximum number of characters of a file that an error shows.
const SHOWN: usize = 200;
/// File name of the report in a report folder.
const NAME: &str = "report.json";

/// The fields of a report that `diff` needs.
#[derive(Debug, Clone, Deserialize)]
pub struct RecordedReport {
    pub(super) suite_version: String,
    pub(super) document_version: String,
    pub(super) document_sha256: String,
    #[serde(default)]
    pub(super) declared_version: Option<String>,
    pub(super) target: RecordedTarget,
    pub(super) profile: Profile,
    pub(super) seed: u64,
    pub(super) cases: u32,
    pub(super) is_whole: bool,
    #[serde(default)]
    pub(super) choices: Vec<ChoiceReport>,
    pub(super) requirements: Vec<RecordedRequirement>,
}

#[derive(Deserialize)]
struct Format {
    format: u64,
}

/// The target of a recorded run.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct RecordedTarget {
    pub(super) base_url: String,
}

/// One requirement of a recorded run.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct RecordedRequirement {
    pub(super) id: String,
    pub(super) clause: String,
    pub(super) status: Status,
    #[serde(default)]
    pub(super) reason: Option<String>,
    #[serde(default)]
    pub(super) responses: BTreeMap<String, BTreeMap<String, usize>>,
    #[serde(default)]
    pub(super) failure: Option<RecordedFailure>,
}

/// The failure of a requirement in a recorded run.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct RecordedFailure {
    pub(super) expected: String,
    pub(super) observed: String,
    pub(super) repeat: String,
}

/// A report that cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}; give a {NAME} or the folder that `run --report-dir` wrote")]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// The error.
        source: std::io::Error,
    },
    /// The file is longer than 64 MiB.
    #[error("{path} is longer than {} MiB, the limit of a {NAME}; give a {NAME} that `run` wrote", MAX_REPORT_BYTES >> 20)]
    TooLong {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file has another content.
    #[error("{path} is not a report of format {FORMAT}: {what}; give a {NAME} that `run` wrote")]
    Shape {
        /// Path of the file.
        path: PathBuf,
        /// The error, safe for a terminal.
        what: String,
    },
    /// Another suite wrote the file.
    #[error("{path} has format {format}, this suite reads format {FORMAT}: compare with the suite that wrote it")]
    Format {
        /// Path of the file.
        path: PathBuf,
        /// The format of the file.
        format: u64,
    },
}

/// Returns the path of a `report.json`, or of the one in a report folder.
fn file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(NAME) } else { path.to_owned() }
}

/// Reads a `report.json`, or the one in a report folder, of at most 64 MiB.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, RecordedError> {
    let path = file(path);
    let read = |source| RecordedError::Read { path: path.clone(), source };
    let mut bytes = Vec::new();
    // The length of a pipe is unknown until it is read, so limit the read.
    File::open(&path).map_err(read)?.take(MAX_REPORT_BYTES + 1).read_to_end(&mut bytes).map_err(read)?;
    if bytes.len() as u64 > MAX_REPORT_BYTES {
        return Err(RecordedError::TooLong { path });
    }
    Ok(bytes)
}

impl RecordedReport {
    /// Returns the same fields of a report of this process.
    pub fn of(report: &Report) -> Self {
        let written = serde_json::to_value(report).expect("a report has only fields that JSON has");
        serde_json::from_value(written).expect("it has the fields of a recorded report")
    }

    /// Reads a `report.json`, or the one in a report folder, of at most 64 MiB and 10,000 requirements.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, is too long, or is not a report of a known format.
    pub fn read(path: &Path) -> Result<Self, RecordedError> {
        Self::parse(&bytes(path)?, file(path))
    }

    fn parse(bytes: &[u8], path: PathBuf) -> Result<Self, RecordedError> {
        let shape =
            |what: String| RecordedError::Shape { path: path.clone(), what: excerpt(&on_one_line(&what), SHOWN) };
        // Another format may have other fields, so read its number first.
        let Format { format } = serde_json::from_slice(bytes).map_err(|error| shape(error.to_string()))?;
        if format != u64::from(FORMAT) {
            return Err(RecordedError::Format { path, format });
        }
        let report: Self = serde_json::from_slice(bytes).map_err(|error| shape(error.to_string()))?;
        if report.requirements.len() > MAX_REQUIREMENTS {
            return Err(shape(format!("it has more than {MAX_REQUIREMENTS} requirements")));
        }
        if report.choices.len() > MAX_CHOICES {
            return Err(shape(format!("it has more than {MAX_CHOICES} choices")));
        }
        let mut ids = HashSet::new();
        match report.requirements.iter().find(|row| !ids.insert(row.id.as_str())) {
            Some(row) => Err(shape(format!("it has the requirement `{}` twice", row.id))),
            None => Ok(report),
        }
    }
}
