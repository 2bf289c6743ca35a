//! What changed between two reports.
//!
//! Reading them is `recorded`'s, showing it is done in `diff_markdown` and `diff_text`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::model::Status;
use super::recorded::{RecordedReport, RecordedRequirement};
use super::{diff_markdown, diff_text, json};

/// Version of the format that `--format json` prints.
const FORMAT: u32 = 1;

/// What changed from an old report to a new one; every list is in the order of ids.
#[derive(Debug, Clone, Serialize)]
pub struct ReportDiff {
    /// Version of this format.
    pub format: u32,
    /// What was run otherwise, so that the reports may not be about the same.
    pub head: Vec<HeadDifference>,
    /// How many changes of each kind.
    pub counts: DiffCounts,
    /// Fails now and did not before.
    pub broke: Vec<RequirementChange>,
    /// Failed before and passes now.
    pub mended: Vec<RequirementChange>,
    /// Stands in the new report only.
    pub new: Vec<RequirementChange>,
    /// Stands in the old report only.
    pub gone: Vec<RequirementChange>,
    /// Every other change of a status, such as from skipped to passed.
    pub changed: Vec<RequirementChange>,
}

/// How many changes of each kind there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DiffCounts {
    /// Fail now and did not before.
    pub broke: usize,
    /// Failed before and pass now.
    pub mended: usize,
    /// Stand in the new report only.
    pub new: usize,
    /// Those of them that fail.
    pub new_failing: usize,
    /// Stand in the old report only.
    pub gone: usize,
    /// Changed otherwise.
    pub changed: usize,
    /// Have the status they had.
    pub same: usize,
    /// Those of them that fail.
    pub still_failing: usize,
}

/// Something about a run that differs between the reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeadDifference {
    /// What it is, such as `profile`.
    pub what: &'static str,
    /// What the old report says.
    pub old: String,
    /// What the new report says.
    pub new: String,
}

/// One requirement whose status changed.
#[derive(Debug, Clone, Serialize)]
pub struct RequirementChange {
    /// Its id.
    pub id: String,
    /// The sentence that is checked.
    pub clause: String,
    /// How it ended before; missing when the old report does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Status>,
    /// How it ends now; missing when the new report does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Status>,
    /// Why it ended so, when the newer report that has it gives a reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was demanded, when it is broken there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What was seen.
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

    /// Whether a requirement fails that did not fail in the old report, be it that the old one does not have it.
    pub fn is_worse(&self) -> bool {
        self.counts.broke > 0 || self.counts.new_failing > 0
    }

    /// The comment on a pull request, in Markdown, at most 64 KiB long.
    pub fn markdown(&self) -> String {
        diff_markdown::render(self)
    }

    /// The same as lines for a terminal, without escapes of it.
    pub fn text(&self) -> String {
        diff_text::render(self)
    }

    /// The same for programs.
    pub fn json(&self) -> String {
        json::pretty(self)
    }

    /// Whether nothing changed but what was mended.
    pub(super) fn is_only_better(&self) -> bool {
        [&self.broke, &self.new, &self.gone, &self.changed].into_iter().all(Vec::is_empty)
    }

    /// What changed, in one sentence.
    pub(super) fn sentence(&self) -> String {
        let counts = &self.counts;
        let mut parts: Vec<String> = [
            (counts.broke, "broke"),
            (counts.mended, "fixed"),
            (counts.new, "new"),
            (counts.gone, "removed"),
            (counts.changed, "changed in another way"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| match (word, counts.new_failing) {
            ("new", failing @ 1..) => format!("{count} new ({failing} of them failing)"),
            _ => format!("{count} {word}"),
        })
        .collect();
        if parts.is_empty() {
            parts.push("nothing changed".to_owned());
        }
        let failing = match counts.still_failing {
            0 => String::new(),
            count => format!(", {count} of them still failing"),
        };
        format!("{}; {} as before{failing}", parts.join(", "), counts.same)
    }
}

/// Whether this status fails a run.
pub(super) fn fails(status: Status) -> bool {
    matches!(status, Status::Failed | Status::Error)
}

fn head(old: &RecordedReport, new: &RecordedReport) -> Vec<HeadDifference> {
    let part = |is_whole: bool| if is_whole { "whole profile" } else { "a part of the profile" }.to_owned();
    let of = |report: &RecordedReport| {
        [
            ("document version", report.document_version.clone()),
            ("document hash", report.document_sha256.clone()),
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

/// A base URL without what stands before an `@` in it.
pub(super) fn without_credentials(base_url: &str) -> String {
    let Ok(mut url) = url::Url::parse(base_url) else {
        return "an unreadable base URL".to_owned();
    };
    // Only addresses without a host refuse it, and those have no credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}
