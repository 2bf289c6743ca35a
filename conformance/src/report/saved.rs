//! `failures/ID.json`: a failure in a form that `replay` and the next run can repeat.
//!
//! Repeating is `runner`'s; no key ever stands in the file.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::evidence;
use super::received::{self, HookReport};
use crate::runner::{Failure, Replay, RequirementResult, Run};
use crate::spec::Profile;

/// Version of this format.
const FORMAT: u32 = 1;
/// Longest file that is read, in bytes.
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
    /// The requirement whose case shows it: the same, unless the broken one observes the exchanges of others.
    pub shown_by: String,
    /// What was demanded.
    pub profile: Profile,
    /// Seed of the run.
    pub seed: u64,
    /// Index of the case that failed first.
    pub case_index: u32,
    /// The smallest case, with `{website_id}` for the website under test; `null` for scenarios without input.
    pub case: Value,
    /// The target that showed it; keys are never saved.
    pub target: SavedTarget,
    /// What was demanded.
    pub expected: String,
    /// What was seen, secrets masked.
    pub observed: String,
    /// The first and the last hooks that arrived for it, at most 12, when the requirement is about hooks; nothing is repeated with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<HookReport>,
}

/// Where a failure was found.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedTarget {
    /// Base URL.
    pub base_url: String,
    /// The website under test.
    pub website_id: String,
    /// The flag that names it again, such as `--config conformance.toml`.
    pub flag: String,
}

/// A saved failure that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}; a run writes saved failures to failures/ in its --report-dir")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is longer than 8 MiB.
    #[error("{path} is longer than {} MiB, so it is not a saved failure", MAX_FILE >> 20)]
    TooLong {
        /// Which.
        path: PathBuf,
    },
    /// The file holds something else.
    #[error(
        "{path} is not a saved failure of format {FORMAT}: {source}; a run writes them to failures/ in its --report-dir"
    )]
    Shape {
        /// Which.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// A newer suite wrote the file.
    #[error("{path} has format {format}, this suite reads format {FORMAT}: use the suite that wrote it")]
    Format {
        /// Which.
        path: PathBuf,
        /// The format it has.
        format: u64,
    },
}

impl SavedFailure {
    /// What `result` of `run` found, if it found something.
    pub(super) fn of(run: &Run, result: &RequirementResult) -> Option<Self> {
        let failure: &Failure = result.outcome.failure()?;
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
            hooks: received::hooks(run, failure),
        })
    }

    /// Reads a file of at most 8 MiB.
    ///
    /// # Errors
    /// When it cannot be read, is too long, or is no saved failure of a known format.
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

    /// Every saved failure of a report folder in the order of ids, and a remark for each file that is none.
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

    /// What the runner needs to repeat it.
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

/// The folder of saved failures below a report folder.
pub(super) const FOLDER: &str = "failures";
