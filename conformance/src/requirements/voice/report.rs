//! The Brand DNA report that comes with an article.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps::written::{article, order};

const JOBS: &[Capability] = &[Capability::JOBS];

const SOURCE: &str = "openapi.yaml, VoiceReport and VoiceCheck";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("voice.report.consistent", "passed is true exactly when every check passed; rules are named once; expected and observed are texts or null.", SOURCE, consistent)
            .needs(JOBS)
            .drawn("plain topics and lengths", Cases::Divided(16), order),
        Requirement::must("voice.report.passed", "Content follows the voice profile: an article that was completed passed its checks.", "service description, section 1.5", passed)
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
    ensure(article["voice"]["passed"] == true && failed.is_empty(), "a report that passed", || failed.join("; "))
}
