//! An article is about its topic.

use serde_json::Value;

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::written::{article, order};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "voice.topic.used",
            "An article is about its topic: its title or text contains a word of it.",
            "openapi.yaml, GenerateRequest topic",
            topic_used,
        )
        .should()
        .needs(JOBS)
        .drawn("plain topics and lengths", Cases::Divided(16), order),
    ]
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
