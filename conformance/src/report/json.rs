//! `report.json` and all other JSON output.
//!
//! `model` defines its format.

use serde::Serialize;

use super::model::Report;

/// Returns the report as indented JSON with a final newline.
pub(super) fn render(report: &Report) -> String {
    pretty(report)
}

/// Returns `value` as indented JSON with a final newline.
pub(super) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("what is written has only texts as member names");
    text.push('\n');
    text
}
