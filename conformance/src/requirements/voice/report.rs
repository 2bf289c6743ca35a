//! The Brand DNA report that comes with an article.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::written::{article, order};

const JOBS: &[Capability] = &[Capability::JOBS];

const SOURCE: &str = "openapi.yaml, VoiceReport and VoiceCheck";

/// Why a report without checks decides nothing.
const NO_CHECKS: &str = "the report tells of no check";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("voice.report.consistent", "voice.passed is true if and only if every check passed; each rule is named once; expected and observed are texts or null.", SOURCE, consistent)
            .needs(JOBS)
            .drawn("plain topics and lengths", Cases::Divided(16), order),
        Requirement::must("voice.report.passed", "A completed article follows the voice profile: voice.passed is true, and so is every check.", "service description, section 1.5", passed)
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
        ensure(rules.insert(rule.to_owned()), "every rule once", || format!("{rule} twice"))?;
        for member in ["expected", "observed"] {
            let value = check.get(member).unwrap_or(&Value::Null);
            ensure(value.is_null() || value.is_string(), format!("{member} as a text or null"), || {
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
