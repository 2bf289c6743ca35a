//! How long an article is.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, ensure};
use crate::steps::written::{article, order};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "voice.length.near-target",
            "An article has about as many words as target_word_count says; 15 % are allowed.",
            "openapi.yaml, GenerateRequest target_word_count",
            near_target,
        )
        .should()
        .needs(JOBS)
        .drawn("plain topics and lengths", Cases::Divided(16), order),
        Requirement::must(
            "voice.length.long-orders",
            "Who asks for a long article gets one: of 4000 words no fewer than 3400.",
            "openapi.yaml, GenerateRequest target_word_count",
            long_orders,
        )
        .should()
        .needs(JOBS),
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
