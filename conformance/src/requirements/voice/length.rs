//! How long an article is.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, ensure};
use crate::steps::written::{article, order};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "voice.length.near-target",
            "An article has about as many words as target_word_count says, give or take 15 %.",
            "openapi.yaml, GenerateRequest target_word_count",
            near_target,
        )
        .should()
        .needs(JOBS)
        .drawn("plain topics and lengths", Cases::Divided(16), order),
        Requirement::must(
            "voice.length.long-orders",
            "An article with target_word_count 4000 has at least 3400 words.",
            "openapi.yaml, GenerateRequest target_word_count",
            long_orders,
        )
        .should()
        .needs(JOBS),
        Requirement::must(
            "voice.length.edges",
            "The least and the greatest number of words, and those beside them, are kept like any other; 15 % are allowed.",
            "openapi.yaml, GenerateRequest target_word_count",
            near_target,
        )
        .should()
        .needs(JOBS)
        .drawn("numbers of words at the edges", Cases::Exactly(4), |space, draw| {
            let words = [201, 1_000, 4_999, 5_000][draw.index() % 4];
            json!({ "topic": space.plain_topic(draw), "words": words })
        }),
    ]
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
