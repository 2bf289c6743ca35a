//! Counts and lengths.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_article, edit_articles, edit_text};

pub(super) const FAULTS: &[Fault] = &[
    fault("article.words-with-faq", "word_count includes the title and the FAQ.", &["articles.text.word-count"])
        .response(|response, request, _| edit_article(response, request, count_everything)),
    fault("article.time-rounded-down", "reading_time_minutes is rounded down.", &["articles.text.reading-time"])
        .response(|response, request, _| {
            edit_articles(response, request, |article| set_time(article, |words| words / 275));
        }),
    fault("article.time-at-200", "reading_time_minutes assumes 200 words a minute.", &["articles.text.reading-time"])
        .response(|response, request, _| {
            edit_articles(response, request, |article| set_time(article, |words| words.div_ceil(200)));
        }),
    fault("article.description-40", "meta_description is cut at 40 characters.", &["articles.text.lengths"]).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                edit_text(article, "meta_description", |text| text.chars().take(40).collect());
            });
        },
    ),
];

fn count_everything(article: &mut Value) {
    let questions = article["faq"].as_array().into_iter().flatten();
    let texts = questions.flat_map(|entry| [&entry["question"], &entry["answer"]]).chain([&article["title"]]);
    let more: usize = texts.filter_map(Value::as_str).map(|text| text.split_whitespace().count()).sum();
    let words = article["word_count"].as_u64().unwrap_or(0) + u64::try_from(more).unwrap_or(0);
    article["word_count"] = json!(words);
    set_time(article, |words| words.div_ceil(275));
}

fn set_time(article: &mut Value, minutes: fn(u64) -> u64) {
    if let Some(words) = article.get("word_count").and_then(Value::as_u64) {
        article["reading_time_minutes"] = json!(minutes(words).max(1));
    }
}
