//! First user message: the request for the article.

use crate::generation::generator::ArticleBrief;

use super::super::text::one_line;
use super::delimiters::Delimiters;
use super::outline::outline;

/// Maximum length of a topic in characters, as in the API.
const MAX_TOPIC_CHARS: usize = 1000;
/// Maximum length of all keywords, in characters.
const MAX_KEYWORDS_CHARS: usize = 2000;
/// Maximum length of a name, in characters.
const MAX_NAME_CHARS: usize = 200;
/// Maximum length of a voice sample, in characters.
const MAX_SAMPLE_CHARS: usize = 3000;
/// Maximum number of voice samples.
const MAX_SAMPLES: usize = 3;
/// Maximum number of articles that the prompt offers as links.
const MAX_LINKS: usize = 10;
/// Maximum length of the line for a linked article, in characters.
const MAX_LINK_CHARS: usize = 400;

/// Returns the first message of a conversation.
pub(in super::super) fn user(brief: &ArticleBrief, delimiters: &Delimiters) -> String {
    let mut text =
        format!("Write the article that is ordered here, in the language {}.\n\n", one_line(&brief.language));
    text.push_str(&delimiters.around("topic", &brief.topic, MAX_TOPIC_CHARS));
    if !brief.keywords.is_empty() {
        text.push_str("\nEach of these phrases stands in the text at least once, as it is written here:\n");
        let keywords: Vec<String> = brief.keywords.iter().map(|keyword| one_line(keyword)).collect();
        text.push_str(&delimiters.around("keywords", &keywords.join("\n"), MAX_KEYWORDS_CHARS));
    }
    text.push_str("\nIt will stand on this website:\n");
    text.push_str(&delimiters.around("website", &one_line(&brief.website.name), MAX_NAME_CHARS));
    let samples = brief.voice.samples.iter().filter(|sample| !sample.trim().is_empty()).take(MAX_SAMPLES);
    for sample in samples {
        text.push_str("\nThis text shows the voice to write in. Take its manner, not what it says:\n");
        text.push_str(&delimiters.around("sample", sample, MAX_SAMPLE_CHARS));
    }
    let links: Vec<String> = brief
        .published
        .iter()
        .take(MAX_LINKS)
        .map(|link| format!("{} {}", link.url, one_line(&link.anchor_text)))
        .filter(|line| line.chars().count() <= MAX_LINK_CHARS)
        .collect();
    if !links.is_empty() {
        text.push_str("\nYou may link to these articles of the website where that helps readers, to each once, and to nothing else:\n");
        text.push_str(&delimiters.around("articles", &links.join("\n"), MAX_LINKS * MAX_LINK_CHARS));
    }
    format!("{text}\n{}", outline(brief))
}
