//! Passages by which an article's text is known wherever it stands: on its page, and where it should not be.
//!
//! What the text must be like is judged in `articles_text`.

use serde_json::Value;

/// Letters and digits from which on a line of an article is a passage of its text, and no heading or item that a summary repeats.
const PASSAGE: usize = 80;
/// Members that sum an article up, which lists and hooks may repeat.
const SUMMARIES: [&str; 4] = ["title", "excerpt", "meta_title", "meta_description"];

/// The letters and digits of a text: pages set everything else in their own way.
pub(crate) fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// The passages of an article's text that no summary of it repeats, with nothing but their letters and digits.
pub(crate) fn passages(article: &Value) -> Vec<String> {
    let summaries: Vec<String> =
        SUMMARIES.iter().map(|member| letters(article[*member].as_str().unwrap_or_default())).collect();
    let lines = article["content_markdown"].as_str().unwrap_or_default().lines().map(letters);
    let is_passage = |line: &String| {
        let begin: String = line.chars().take(PASSAGE).collect();
        line.chars().count() >= PASSAGE && !summaries.iter().any(|summary| summary.contains(&begin))
    };
    lines.filter(is_passage).collect()
}
