//! A certificate: a short record of a run that found a server conformant, with hashes of everything that it rests on.
//!
//! It is not signed: who can write a report can also write its certificate.

use std::collections::BTreeSet;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::model::{Conclusion, FORMAT as REPORT_FORMAT, Status};
use super::recorded::{self, RecordedError};
use crate::check::{Level, Requirement};
use crate::spec::{Profile, Version, hexadecimal};

/// Version of this format.
const FORMAT: u32 = 1;

/// A certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Version of this format.
    pub format: u32,
    /// Version of the suite.
    pub suite_version: String,
    /// `info.version` of the document.
    pub document_version: String,
    /// SHA-256 of the document, as hexadecimal digits.
    pub document_sha256: String,
    /// The version of the document that the target declares to implement, if it declares one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_version: Option<String>,
    /// The profile of the run.
    pub profile: Profile,
    /// Number of requirements of the run.
    pub requirements: usize,
    /// SHA-256 of the requirement set: a JSON array with `[ID, SINCE, LEVEL]` for each requirement, in the order of ids.
    pub requirements_sha256: String,
    /// The results by feature, `core` first.
    pub features: Vec<CertifiedFeature>,
    /// Seed of every case.
    pub seed: u64,
    /// Number of cases of a searched requirement.
    pub cases: u32,
    /// Start of the run, in Unix seconds.
    pub started_unix: i64,
    /// The organisation that makes or runs the target, as configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organisation: Option<String>,
    /// SHA-256 of the target's base URL, so that its owner can show which server it was.
    pub target_sha256: String,
    /// SHA-256 of `report.json`.
    pub report_sha256: String,
}

/// The `must` requirements of one feature that apply to the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CertifiedFeature {
    /// Name of the feature.
    pub name: String,
    /// Number of requirements that hold.
    pub passed: usize,
    /// Number of requirements that apply.
    pub applicable: usize,
    /// Number of requirements that were not decided.
    pub open: usize,
}

/// A certificate that cannot be made or read.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The report cannot be read.
    #[error(transparent)]
    Report(#[from] RecordedError),
    /// The report lacks a field that a certificate needs.
    #[error("the report lacks what a certificate needs: {0}; run the suite again with --certificate")]
    Shape(#[source] serde_json::Error),
    /// The run does not show that the target conforms.
    #[error("there is no certificate for this run: {0}")]
    NotConformant(String),
}

/// The fields of a report that a certificate needs.
#[derive(Deserialize)]
struct Certified {
    format: u32,
    suite_version: String,
    document_version: String,
    document_sha256: String,
    #[serde(default)]
    declared_version: Option<String>,
    profile: Profile,
    seed: u64,
    cases: u32,
    started_unix: i64,
    about: Organisation,
    target: Target,
    conclusion: Conclusion,
    is_whole: bool,
    features: Vec<FeatureRow>,
    requirements: Vec<Row>,
}

#[derive(Deserialize)]
struct FeatureRow {
    name: String,
    passed: usize,
    applicable: usize,
    open: usize,
}

#[derive(Deserialize)]
struct Organisation {
    #[serde(default)]
    organisation: Option<String>,
}

#[derive(Deserialize)]
struct Target {
    base_url: String,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    since: String,
    level: Level,
    status: Status,
}

impl Certificate {
    /// Makes the certificate of the run that wrote this `report.json`, or the one in this folder.
    ///
    /// # Errors
    /// Returns an error if the report cannot be read, or if the run did not cover its whole profile or does not show that the target
    /// conforms.
    pub fn of(path: &Path) -> Result<Self, CertificateError> {
        let bytes = recorded::bytes(path)?;
        let report: Certified = serde_json::from_slice(&bytes).map_err(CertificateError::Shape)?;
        report.check().map_err(CertificateError::NotConformant)?;
        let feature =
            |FeatureRow { name, passed, applicable, open }| CertifiedFeature { name, passed, applicable, open };
        let set: Vec<_> =
            report.requirements.iter().map(|row| (row.id.as_str(), row.since.clone(), row.level)).collect();
        Ok(Self {
            format: FORMAT,
            requirements: set.len(),
            requirements_sha256: hash_of_set(&set),
            target_sha256: hash(report.target.base_url.as_bytes()),
            report_sha256: hash(&bytes),
            suite_version: report.suite_version,
            document_version: report.document_version,
            document_sha256: report.document_sha256,
            declared_version: report.declared_version,
            profile: report.profile,
            features: report.features.into_iter().map(feature).collect(),
            seed: report.seed,
            cases: report.cases,
            started_unix: report.started_unix,
            organisation: report.about.organisation,
        })
    }

    /// Returns everything that speaks against the certificate, one clause each: differences from a report, from a document, and from the
    /// requirements of this suite.
    ///
    /// # Errors
    /// Returns an error if the report cannot be read.
    pub fn objections(
        &self,
        report: &Path,
        document: &[u8],
        catalogue: &[Requirement],
    ) -> Result<Vec<String>, CertificateError> {
        let of_report = match Self::of(report) {
            Ok(of_report) => of_report,
            Err(CertificateError::NotConformant(reason)) => return Ok(vec![reason]),
            Err(error) => return Err(error),
        };
        let mut objections = self.differences(&of_report);
        objections.extend(self.objection_to_document(document));
        objections.extend(self.objection_to_requirements(catalogue));
        Ok(objections)
    }

    fn differences(&self, of_report: &Self) -> Vec<String> {
        let fields = |certificate: &Self| serde_json::to_value(certificate).unwrap_or_default();
        let (own, other) = (fields(self), fields(of_report));
        let names: BTreeSet<&str> = [&own, &other]
            .into_iter()
            .filter_map(Value::as_object)
            .flat_map(|map| map.keys().map(String::as_str))
            .collect();
        let differing = names.into_iter().filter(|name| own[name] != other[name]);
        differing
            .map(|name| format!("`{name}` is {} in the certificate and {} in the report", own[name], other[name]))
            .collect()
    }

    fn objection_to_document(&self, text: &[u8]) -> Option<String> {
        let found = hash(text);
        if found != self.document_sha256 {
            let named = &self.document_sha256;
            return Some(format!("the document has the SHA-256 {found}, and the certificate names {named}"));
        }
        let document: Value = serde_saphyr::from_slice(text).unwrap_or_default();
        let version = document["info"]["version"].as_str().unwrap_or_default();
        (version != self.document_version).then(|| {
            format!("the document has the version {version}, and the certificate names {}", self.document_version)
        })
    }

    fn objection_to_requirements(&self, catalogue: &[Requirement]) -> Option<String> {
        let own_version = env!("CARGO_PKG_VERSION");
        if self.suite_version != own_version {
            return Some(format!(
                "this is suite {own_version}, which does not know the requirements of suite {}: verify with that one",
                self.suite_version
            ));
        }
        let declared: Option<Version> = self.declared_version.as_ref().and_then(|version| version.parse().ok());
        let mut planned: Vec<&Requirement> =
            catalogue.iter().filter(|requirement| requirement.profile <= self.profile).collect();
        planned.sort_unstable_by_key(|requirement| requirement.id);
        let set = |is_strict: bool| {
            let rows = planned.iter().map(|requirement| {
                let is_newer = declared.is_some_and(|declared| requirement.since > declared);
                let level = if is_strict { Level::Must } else { requirement.level };
                let level = if is_newer { Level::Should } else { level };
                (requirement.id, requirement.since.to_string(), level)
            });
            hash_of_set(&rows.collect::<Vec<_>>())
        };
        let is_known =
            self.requirements == planned.len() && [set(false), set(true)].contains(&self.requirements_sha256);
        (!is_known)
            .then(|| format!("the run did not have the requirements of the {} profile of this suite", self.profile))
    }
}

impl Certified {
    /// Checks that the run shows that the target conforms. Reads the results, too, and not only the conclusion.
    fn check(&self) -> Result<(), String> {
        if self.format != REPORT_FORMAT {
            return Err(format!("the report has format {}, and this suite reads format {REPORT_FORMAT}", self.format));
        }
        if !self.is_whole {
            return Err(
                "only a part of the requirements was asked for; run without --only, --skip, --shard and --failed-only"
                    .to_owned(),
            );
        }
        let breaks = |row: &&Row| {
            matches!(row.status, Status::Failed | Status::Error | Status::Flaky | Status::Known)
                || (row.level == Level::Must && row.status == Status::Warned)
        };
        if let Some(row) = self.requirements.iter().find(breaks) {
            return Err(format!("`{}` is {}", row.id, row.status.name()));
        }
        if self.conclusion != Conclusion::Conformant {
            return Err("the run did not decide every requirement of `core`, or ended early".to_owned());
        }
        let musts =
            |status| self.requirements.iter().filter(|row| row.level == Level::Must && row.status == status).count();
        let (passed, open) = (musts(Status::Passed), musts(Status::Inconclusive));
        let told = |count: fn(&FeatureRow) -> usize| self.features.iter().map(count).fold(0, usize::saturating_add);
        if passed == 0 {
            return Err("no `must` requirement passed".to_owned());
        }
        if (told(|row| row.passed), told(|row| row.open)) != (passed, open) {
            return Err("the numbers by feature are not those of the requirements".to_owned());
        }
        Ok(())
    }
}

fn hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Returns the hash of a requirement set in the order of ids.
fn hash_of_set(set: &[(&str, String, Level)]) -> String {
    hash(serde_json::to_string(set).unwrap_or_default().as_bytes())
}
