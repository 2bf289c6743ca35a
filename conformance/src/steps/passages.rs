//! Passages that identify the text of an article on its page and in payloads, and its plain texts.
//!
//! `requirements::articles` checks the text itself.

use serde_json::Value;

use crate::check::markdown;

/// Minimum number of letters and digits of a passage. Headings and items of lists are shorter, and summaries may repeat them.
const PASSAGE: usize = 80;
/// Fields that sum an article up. Lists and webhooks may repeat them.
const SUMMARIES: [&str; 4] = ["title", "excerpt", "meta_title", "meta_description"];

/// Returns the letters and digits of a text. Pages set all other characters in their own way.
pub(crate) fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Returns the letters and digits of each long block of an article's text that no summary repeats.
pub(crate) fn passages(article: &Value) -> Vec<String> {
    let summaries: Vec<String> =
        SUMMARIES.iter().map(|field| letters(article[*field].as_str().unwrap_or_default())).collect();
    let blocks = markdown::blocks(article["content_markdown"].as_str().unwrap_or_default());
    let is_passage = |block: &String| {
        let begin: String = block.chars().take(PASSAGE).collect();
        block.chars().count() >= PASSAGE && !summaries.iter().any(|summary| summary.contains(&begin))
    };
    blocks.iter().map(|block| letters(block)).filter(is_passage).collect()
}

/// Returns the fields of an article that are plain text, each with its place.
pub(crate) fn plain_texts(article: &Value) -> Vec<(String, String)> {
    let mut places: Vec<String> =
        ["/title", "/excerpt", "/meta_title", "/meta_description"].map(ToOwned::to_owned).to_vec();
    let count = |list: &str| article[list].as_array().map_or(0, Vec::len);
    places.extend((0..count("outline")).map(|number| format!("/outline/{number}/text")));
    for field in ["question", "answer"] {
        places.extend((0..count("faq")).map(|number| format!("/faq/{number}/{field}")));
    }
    let text = |place: String| article.pointer(&place)?.as_str().map(|text| (place.clone(), text.to_owned()));
    places.into_iter().filter_map(text).collect()
}

/// Returns the first character reference that escapes a character for markup, if the text has one.
pub(crate) fn escape_in(text: &str) -> Option<&'static str> {
    ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#x27;", "&apos;"].into_iter().find(|escape| text.contains(*escape))
}
