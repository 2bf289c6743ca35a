//! `failures/ID.json`: a failure in a form that `replay` and the next run can repeat.
//!
//! `runner` repeats it. The file never contains a key.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::evidence::{self, HookReport};
use crate::runner::{Failure, Replay, RequirementResult, Run};
use crate::spec::Profile;

/// Version of this format.
const FORMAT: u32 = 1;
/// Maximum length of a file, in bytes.
const MAX_FILE: u64 = 8 * 1024 * 1024;

/// A saved failure.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedFailure {
    /// Version of this format.
    pub format: u32,
    /// Version of the suite that found it.
    pub suite_version: String,
    /// The requirement that is broken.
    pub requirement: String,
    /// The requirement whose case shows it: the same one, unless the broken requirement observes the exchanges of others.
    pub shown_by: String,
    /// The profile of the run.
    pub profile: Profile,
    /// Seed of the run.
    pub seed: u64,
    /// Index of the case that failed first.
    pub case_index: u32,
    /// The smallest case, with `{website_id}` for the website under test; `null` for scenarios without input.
    pub case: Value,
    /// The target that showed it; keys are never saved.
    pub target: SavedTarget,
    /// The expected behaviour.
    pub expected: String,
    /// The observed behaviour, with masked secrets.
    pub observed: String,
    /// The first and the last webhooks that arrived for it, at most 12, if the requirement is about webhooks. A replay does not use them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<HookReport>,
}

/// The target of a failure.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedTarget {
    /// Base URL.
    pub base_url: String,
    /// The website under test.
    pub website_id: String,
    /// The flag that selects it again, such as `--config conformance.toml`.
    pub flag: String,
}

/// A saved failure that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}; a run writes saved failures to failures/ in its --report-dir")]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// The error.
        source: std::io::Error,
    },
    /// The file is longer than 8 MiB.
    #[error("{path} is longer than {} MiB, so it is not a saved failure", MAX_FILE >> 20)]
    TooLong {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file has another content.
    #[error(
        "{path} is not a saved failure of format {FORMAT}: {source}; a run writes them to failures/ in its --report-dir"
    )]
    Shape {
        /// Path of the file.
        path: PathBuf,
        /// The error.
        source: serde_json::Error,
    },
    /// A newer suite wrote the file.
    #[error("{path} has format {format}, this suite reads format {FORMAT}: use the suite that wrote it")]
    Format {
        /// Path of the file.
        path: PathBuf,
        /// The format of the file.
        format: u64,
    },
}

impl SavedFailure {
    /// Returns the failure in `result`, if there is one that `replay` can repeat.
    pub(super) fn of(run: &Run, result: &RequirementResult) -> Option<Self> {
        let failure: &Failure = result.outcome.failure().filter(|_| run.command == "run")?;
        let secrets = &run.facts.secrets;
        let id = result.requirement.id;
        let (shown_by, case_index, case) = match &failure.origin {
            Some(origin) => (origin.requirement, origin.case_index, &origin.case),
            None => (id, failure.case_index, &failure.case),
        };
        Some(Self {
            format: FORMAT,
            suite_version: env!("CARGO_PKG_VERSION").to_owned(),
            requirement: id.to_owned(),
            shown_by: shown_by.to_owned(),
            profile: run.profile,
            seed: run.seed,
            case_index,
            case: evidence::mask(&Replay::generalise(case, &run.own_texts), secrets),
            target: SavedTarget {
                base_url: run.facts.base_url.clone(),
                website_id: run.facts.website_id.clone(),
                flag: run.target_flag.clone(),
            },
            expected: secrets.mask(&failure.finding.expected),
            observed: secrets.mask(&failure.finding.observed),
            hooks: evidence::hooks(run, failure),
        })
    }

    /// Reads a file of at most 8 MiB.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, is too long, or is not a saved failure of a known format.
    pub fn read(path: &Path) -> Result<Self, SavedError> {
        let read = |source| SavedError::Read { path: path.to_owned(), source };
        if std::fs::metadata(path).map_err(read)?.len() > MAX_FILE {
            return Err(SavedError::TooLong { path: path.to_owned() });
        }
        let text = std::fs::read(path).map_err(read)?;
        let shape = |source| SavedError::Shape { path: path.to_owned(), source };
        let value: Value = serde_json::from_slice(&text).map_err(shape)?;
        match value["format"].as_u64() {
            Some(format) if format != u64::from(FORMAT) => Err(SavedError::Format { path: path.to_owned(), format }),
            _ => serde_json::from_value(value).map_err(shape),
        }
    }

    /// Returns every saved failure of a report folder in the order of ids, and a remark for each invalid file.
    pub fn read_all(folder: &Path) -> (Vec<Self>, Vec<String>) {
        let Ok(entries) = std::fs::read_dir(folder.join(FOLDER)) else {
            return (Vec::new(), Vec::new());
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let (mut failures, mut remarks) = (Vec::new(), Vec::new());
        for path in paths {
            match Self::read(&path) {
                Ok(failure) => failures.push(failure),
                Err(error) => remarks.push(format!("{error}; it was not repeated")),
            }
        }
        (failures, remarks)
    }

    /// Returns the data that the runner needs to repeat it.
    pub fn replay(&self) -> Replay {
        Replay {
            requirement: self.requirement.clone(),
            shown_by: self.shown_by.clone(),
            seed: self.seed,
            case_index: self.case_index,
            case: self.case.clone(),
        }
    }
}

/// Name of the folder of saved failures in a report folder.
pub(super) const FOLDER: &str = "failures";
