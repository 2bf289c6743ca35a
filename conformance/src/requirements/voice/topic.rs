//! Topic of an article.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::written::order;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "voice.topic.used",
            "An English article on an English topic is about its topic: its title or text contains a word of it.",
            &[Sentence("Topic of the article in free text.")],
            topic_used,
        )
        .should()
        .needs(JOBS)
        .drawn("plain topics and lengths", Cases::Divided(16), order),
    ]
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
