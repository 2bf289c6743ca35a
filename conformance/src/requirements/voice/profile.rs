//! The voice profile in an article: its length, its topic and its report.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence};
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps;
use crate::steps::texts::{article, order};

const JOBS: &[Capability] = &[Capability::JOBS];

/// Reason why a report without checks is inconclusive.
const NO_CHECKS: &str = "the report has no checks";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "voice.length.near-target",
            "word_count of an article is target_word_count, give or take 15 %.",
            &[Sentence("Number of words that the article should have, give or take 15 %.")],
            near_target,
        )
        .should()
        .needs(JOBS)
        .drawn("plain topics and lengths", Cases::Divided(16), order),
        Requirement::new(
            "voice.length.edges",
            "word_count is target_word_count, give or take 15 %, also near the minimum and at the maximum of target_word_count.",
            &[
                Sentence("Number of words that the article should have, give or take 15 %."),
                Part("/components/schemas/GenerateRequest/properties/target_word_count/minimum"),
                Part("/components/schemas/GenerateRequest/properties/target_word_count/maximum"),
            ],
            near_target,
        )
        .should()
        .needs(JOBS)
        .drawn("numbers of words at the edges", Cases::Exactly(4), |space, draw| {
            let words = [201, 1_000, 4_999, 5_000][draw.index() % 4];
            json!({ "topic": space.plain_topic(draw), "words": words })
        }),
        Requirement::new(
            "voice.topic.used",
            "An English article on an English topic is about its topic: its title or text contains a word of it.",
            &[Sentence("Topic of the article in free text.")],
            topic_used,
        )
        .should()
        .needs(JOBS)
        .drawn("plain topics and lengths", Cases::Divided(16), order),
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

async fn near_target(context: Context, case: Value) -> Verdict {
    let article = article(&context, &case).await?;
    let target = case["words"].as_i64().unwrap_or(0);
    let words = article["word_count"].as_i64().unwrap_or(0);
    ensure((words - target).abs() * 100 <= target * 15, format!("{target} words, 15 % allowed"), || words.to_string())
}

async fn topic_used(context: Context, case: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, steps::topic_of(&case));
    body["target_word_count"] = case["words"].clone();
    // The topics are English.
    body["language"] = json!("en");
    let (_, article) = steps::written_once(&context, &body).await?;
    let article = demand::json(&article)?;
    let text = format!("{} {}", article["title"], article["content_markdown"]).to_lowercase();
    let topic = steps::topic_of(&case).to_lowercase();
    let words: Vec<&str> =
        topic.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 4).collect();
    let used = words.iter().any(|word| text.contains(word));
    ensure(used, format!("one of the words {}", words.join(", ")), || demand::brief(&article["title"]))
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
