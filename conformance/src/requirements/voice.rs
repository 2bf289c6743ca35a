//! The Brand DNA report that comes with an article.
//!
//! The text itself is judged in `articles_text`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{Verdict, ensure};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::Jobs];
const SOURCE: &str = "openapi.yaml, VoiceReport and VoiceCheck";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("voice.report.consistent", "passed is true exactly when every check passed; rules are named once; expected and observed are texts or null.", SOURCE, consistent)
            .needs(JOBS)
            .drawn("plain topics and lengths", Cases::Divided(16), order),
        Requirement::must("voice.report.passed", "Content follows the voice profile: an article that was completed passed its checks.", "service description, section 1.5", passed)
            .needs(JOBS)
            .drawn("plain topics and lengths", Cases::Divided(16), order),
        Requirement::must("voice.length.near-target", "An article has about as many words as target_word_count says; 15 % are allowed.", "openapi.yaml, GenerateRequest target_word_count", near_target)
            .should()
            .needs(JOBS)
            .drawn("plain topics and lengths", Cases::Divided(16), order),
        Requirement::must("voice.length.long-orders", "Who asks for a long article gets one: of 4000 words no fewer than 3400.", "openapi.yaml, GenerateRequest target_word_count", long_orders)
            .should()
            .needs(JOBS),
        Requirement::must("voice.topic.used", "The article is about the topic: title or text contain words of it.", "openapi.yaml, GenerateRequest topic", topic_used)
            .should()
            .needs(JOBS)
            .drawn("plain topics and lengths", Cases::Divided(16), order),
    ]
}

fn order(space: &Space, draw: &mut Draw) -> Value {
    let words = [200, 450, 1_200, 2_500][draw.index() % 4];
    json!({ "topic": space.plain_topic(draw), "words": words })
}

async fn article(context: &Context, case: &Value) -> Result<Value, super::verdict::Halt> {
    let mut body = steps::quiet_request(context, steps::topic_of(case));
    body["target_word_count"] = case["words"].clone();
    let (_, article) = steps::written(context, &body).await?;
    Ok(demand::json(&article)?.clone())
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

async fn near_target(context: Context, case: Value) -> Verdict {
    let article = article(&context, &case).await?;
    let target = case["words"].as_i64().unwrap_or(0);
    let words = article["word_count"].as_i64().unwrap_or(0);
    ensure((words - target).abs() * 100 <= target * 15, format!("{target} words, 15 % allowed"), || words.to_string())
}

async fn long_orders(context: Context, _: Value) -> Verdict {
    let article = article(&context, &json!({ "words": 4_000 })).await?;
    let words = article["word_count"].as_i64().unwrap_or(0);
    ensure(words >= 3_400, "at least 3400 words", || words.to_string())
}

async fn topic_used(context: Context, case: Value) -> Verdict {
    let article = article(&context, &case).await?;
    let text = format!("{} {}", article["title"], article["content_markdown"]).to_lowercase();
    let topic = steps::topic_of(&case).to_lowercase();
    let words: Vec<&str> =
        topic.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 4).collect();
    let used = words.iter().any(|word| text.contains(word));
    ensure(used, format!("one of the words {}", words.join(", ")), || demand::brief(&article["title"]))
}
