//! The differences between two reports.
//!
//! `recorded` reads reports, `diff_text` shows the differences.

use std::collections::BTreeMap;

use serde::Serialize;

use super::choices::{self, ChoiceDifference};
use super::model::Status;
use super::recorded::{RecordedReport, RecordedRequirement};
use super::visible::without_credentials;

/// Version of the format that `--format json` prints.
const FORMAT: u32 = 1;

/// The differences between an old report and a new one. Every list is in the order of ids.
#[derive(Debug, Clone, Serialize)]
pub struct ReportDiff {
    /// Version of this format.
    pub format: u32,
    /// Differences in the settings of the runs, which may make the reports incomparable.
    pub head: Vec<HeadDifference>,
    /// Number of changes of each kind.
    pub counts: DiffCounts,
    /// Requirements that fail now and did not fail before.
    pub broke: Vec<RequirementChange>,
    /// Requirements that failed before and pass now.
    pub mended: Vec<RequirementChange>,
    /// Requirements in the new report only.
    pub new: Vec<RequirementChange>,
    /// Requirements in the old report only.
    pub gone: Vec<RequirementChange>,
    /// Every other change of a status, such as from skipped to passed.
    pub changed: Vec<RequirementChange>,
    /// Differences that the document allows.
    pub allowed: Vec<ChoiceDifference>,
}

/// Number of changes of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DiffCounts {
    /// Number that fail now and did not fail before.
    pub broke: usize,
    /// Number that failed before and pass now.
    pub mended: usize,
    /// Number in the new report only.
    pub new: usize,
    /// Number in the new report only that fail.
    pub new_failing: usize,
    /// Number in the old report only.
    pub gone: usize,
    /// Number with any other change.
    pub changed: usize,
    /// Number with the same status.
    pub same: usize,
    /// Number with the same status that fail.
    pub still_failing: usize,
}

/// A setting that differs between the reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeadDifference {
    /// Name of the setting, such as `profile`.
    pub what: &'static str,
    /// Value in the old report.
    pub old: String,
    /// Value in the new report.
    pub new: String,
}

/// One requirement whose status changed.
#[derive(Debug, Clone, Serialize)]
pub struct RequirementChange {
    /// Its id.
    pub id: String,
    /// The sentence that is checked.
    pub clause: String,
    /// Status before; absent if the old report does not contain it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Status>,
    /// Status now; absent if the new report does not contain it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Status>,
    /// The reason, if the newer report that contains it gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The expected behaviour, if the requirement is broken there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The observed behaviour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<String>,
    /// A command that repeats it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
}

impl ReportDiff {
    /// Compares two reports.
    pub fn new(old: &RecordedReport, new: &RecordedReport) -> Self {
        let mut pairs: BTreeMap<&str, (Option<&RecordedRequirement>, Option<&RecordedRequirement>)> = BTreeMap::new();
        for row in &old.requirements {
            pairs.entry(&row.id).or_default().0 = Some(row);
        }
        for row in &new.requirements {
            pairs.entry(&row.id).or_default().1 = Some(row);
        }
        let mut diff = Self {
            format: FORMAT,
            head: head(old, new),
            counts: DiffCounts {
                broke: 0,
                mended: 0,
                new: 0,
                new_failing: 0,
                gone: 0,
                changed: 0,
                same: 0,
                still_failing: 0,
            },
            broke: Vec::new(),
            mended: Vec::new(),
            new: Vec::new(),
            gone: Vec::new(),
            changed: Vec::new(),
            allowed: choices::differences(old, new),
        };
        for (old, new) in pairs.into_values() {
            diff.add(old, new);
        }
        diff.counts.broke = diff.broke.len();
        diff.counts.mended = diff.mended.len();
        diff.counts.new = diff.new.len();
        diff.counts.gone = diff.gone.len();
        diff.counts.changed = diff.changed.len();
        diff
    }

    fn add(&mut self, old: Option<&RecordedRequirement>, new: Option<&RecordedRequirement>) {
        let Some(row) = new.or(old) else { return };
        let list = match (old.map(|row| row.status), new.map(|row| row.status)) {
            (None, now) => {
                self.counts.new_failing += usize::from(now.is_some_and(fails));
                &mut self.new
            }
            (Some(_), None) => &mut self.gone,
            (Some(before), Some(now)) if before == now => {
                self.counts.same += 1;
                self.counts.still_failing += usize::from(fails(now));
                return;
            }
            (Some(before), Some(now)) if fails(now) && !fails(before) => &mut self.broke,
            (Some(before), Some(Status::Passed)) if fails(before) => &mut self.mended,
            (Some(_), Some(_)) => &mut self.changed,
        };
        let failure = row.failure.as_ref();
        list.push(RequirementChange {
            id: row.id.clone(),
            clause: row.clause.clone(),
            old: old.map(|row| row.status),
            new: new.map(|row| row.status),
            reason: row.reason.clone(),
            expected: failure.map(|failure| failure.expected.clone()),
            observed: failure.map(|failure| failure.observed.clone()),
            repeat: failure.map(|failure| failure.repeat.clone()),
        });
    }

    /// Returns true if a requirement fails that did not fail in the old report, or was not in it.
    pub fn is_worse(&self) -> bool {
        self.counts.broke > 0 || self.counts.new_failing > 0
    }
}

/// Returns true if this status fails a run.
pub(super) fn fails(status: Status) -> bool {
    matches!(status, Status::Failed | Status::Error)
}

fn head(old: &RecordedReport, new: &RecordedReport) -> Vec<HeadDifference> {
    let part = |is_whole: bool| if is_whole { "whole profile" } else { "a part of the profile" }.to_owned();
    let of = |report: &RecordedReport| {
        [
            ("document version", report.document_version.clone()),
            ("document hash", report.document_sha256.clone()),
            ("declared document", report.declared_version.clone().unwrap_or_else(|| "none".to_owned())),
            ("suite version", report.suite_version.clone()),
            ("profile", report.profile.to_string()),
            ("selected requirements", part(report.is_whole)),
            ("target", without_credentials(&report.target.base_url)),
            ("cases of each requirement", report.cases.to_string()),
            ("seed", report.seed.to_string()),
        ]
    };
    let pairs = of(old).into_iter().zip(of(new)).filter(|((_, old), (_, new))| old != new);
    pairs.map(|((what, old), (_, new))| HeadDifference { what, old, new }).collect()
}
