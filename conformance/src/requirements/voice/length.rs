//! Length of articles.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Requirement, Verdict, ensure};
use crate::steps::written::{article, order};

const JOBS: &[Capability] = &[Capability::JOBS];

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
    ]
}

async fn near_target(context: Context, case: Value) -> Verdict {
    let article = article(&context, &case).await?;
    let target = case["words"].as_i64().unwrap_or(0);
    let words = article["word_count"].as_i64().unwrap_or(0);
    ensure((words - target).abs() * 100 <= target * 15, format!("{target} words, 15 % allowed"), || words.to_string())
}
