//! Brand DNA report of an article.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence};
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::written::{article, order};

const JOBS: &[Capability] = &[Capability::JOBS];

/// Reason why a report without checks is inconclusive.
const NO_CHECKS: &str = "the report has no checks";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "voice.report.consistent",
            "voice.passed is true exactly if every check passed. Each rule has one check. expected and observed are strings or null.",
            &[
                Sentence("`voice.passed` is true exactly if every check passed."),
                Sentence("The checks, one for each measurable rule."),
                Part("/components/schemas/VoiceCheck/properties/expected"),
                Part("/components/schemas/VoiceCheck/properties/observed"),
            ],
            consistent,
        )
        .needs(JOBS)
        .drawn("plain topics and lengths", Cases::Divided(16), order),
        Requirement::new(
            "voice.report.passed",
            "A completed article follows the voice profile: voice.passed and passed of every check are true.",
            &[
                Fact("1.5"),
                Sentence("A job whose text does not pass every check fails with `voice_unsatisfiable`."),
                Sentence("Whether every check passed."),
                Sentence("Whether the text follows the rule."),
            ],
            passed,
        )
        .needs(JOBS)
        .drawn("plain topics and lengths", Cases::Divided(16), order),
    ]
}

async fn consistent(context: Context, case: Value) -> Verdict {
    let article = article(&context, &case).await?;
    let report = &article["voice"];
    let checks = report["checks"].as_array().cloned().unwrap_or_default();
    let all = checks.iter().all(|check| check["passed"] == true);
    demand::same("passed", &json!(all), &report["passed"])?;
    ensure_met(!checks.is_empty(), NO_CHECKS)?;
    let mut rules = std::collections::BTreeSet::new();
    for check in &checks {
        let rule = demand::text(check, "rule")?;
        ensure(rules.insert(rule.to_owned()), "one check for each rule", || format!("{rule} twice"))?;
        for field in ["expected", "observed"] {
            let value = check.get(field).unwrap_or(&Value::Null);
            ensure(value.is_null() || value.is_string(), format!("{field} as a string or null"), || {
                demand::brief(value)
            })?;
        }
    }
    Ok(())
}

async fn passed(context: Context, case: Value) -> Verdict {
    let article = article(&context, &case).await?;
    let failed: Vec<String> = article["voice"]["checks"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|check| check["passed"] != true)
        .map(demand::brief)
        .collect();
    ensure(article["voice"]["passed"] == true && failed.is_empty(), "a report that passed", || failed.join("; "))?;
    let checks = article["voice"]["checks"].as_array().map_or(0, Vec::len);
    ensure_met(checks > 0, NO_CHECKS)
}
