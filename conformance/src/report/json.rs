//! `report.json`.
//!
//! Its shape is `model`'s.

use super::model::Report;

/// The report as indented JSON with a final newline.
pub(super) fn render(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("a report has only texts as member names");
    text.push('\n');
    text
}
