//! Passages by which an article's text is known wherever it stands: on its page, and where it should not be.
//!
//! What the text must be like is judged in `requirements::articles`.

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

/// The texts of an article that are plain: no markup, and nothing escaped as in markup. Each with its place.
pub(crate) fn plain_texts(article: &Value) -> Vec<(String, String)> {
    let places = ["/title", "/excerpt", "/meta_title", "/meta_description", "/json_ld/@graph/0/headline"];
    let mut places: Vec<String> = places.iter().map(|place| (*place).to_owned()).collect();
    let count = |list: &str| article[list].as_array().map_or(0, Vec::len);
    places.extend((0..count("outline")).map(|number| format!("/outline/{number}/text")));
    for member in ["question", "answer"] {
        places.extend((0..count("faq")).map(|number| format!("/faq/{number}/{member}")));
    }
    let text = |place: String| article.pointer(&place)?.as_str().map(|text| (place.clone(), text.to_owned()));
    places.into_iter().filter_map(text).collect()
}

/// A character reference that is written where markup is made, if the text has one.
pub(crate) fn escape_in(text: &str) -> Option<&'static str> {
    ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#x27;", "&apos;"].into_iter().find(|escape| text.contains(*escape))
}
