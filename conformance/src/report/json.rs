//! `report.json` and everything else that is JSON.
//!
//! Its shape is `model`'s.

use serde::Serialize;

use super::model::Report;

/// The report as indented JSON with a final newline.
pub(super) fn render(report: &Report) -> String {
    pretty(report)
}

/// `value` as indented JSON with a final newline.
pub(super) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("what is written has only texts as member names");
    text.push('\n');
    text
}
