//! Faults in the voice report.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_article, entries_mut};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "article.report-always-failed",
        "passed of the voice report is false.",
        &["voice.report.consistent", "voice.report.passed"],
    )
    .response(|response, request, _| {
        edit_article(response, request, |article| article["voice"]["passed"] = json!(false));
    }),
    fault("article.report-rule-twice", "The voice report contains a rule twice.", &["voice.report.consistent"])
        .response(|response, request, _| {
            edit_article(response, request, |article| {
                if let Some(checks) = article["voice"].get_mut("checks").and_then(Value::as_array_mut) {
                    checks.extend(checks.first().cloned());
                }
            });
        }),
    fault("article.report-numbers", "observed of a voice check is a number.", &["voice.report.consistent"]).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                for check in entries_mut(&mut article["voice"], "checks") {
                    let digits =
                        |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
                    let number: u64 = check["observed"].as_str().map_or(0, digits);
                    check["observed"] = json!(number);
                }
            });
        },
    ),
];
