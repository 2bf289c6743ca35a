//! The first message of the user: the article that is ordered.

use crate::generation::generator::ArticleBrief;

use super::super::text::one_line;
use super::delimiters::Delimiters;
use super::outline::outline;

/// Most characters of a topic, as the API bounds it.
const MAX_TOPIC_CHARS: usize = 1000;
/// Most characters of all keywords.
const MAX_KEYWORDS_CHARS: usize = 2000;
/// Most characters of a name.
const MAX_NAME_CHARS: usize = 200;
/// Most characters of one text that shows the voice.
const MAX_SAMPLE_CHARS: usize = 3000;
/// Most texts that show the voice.
const MAX_SAMPLES: usize = 3;
/// Most articles that may be linked to.
const MAX_LINKS: usize = 10;
/// Most characters of an article that may be linked to.
const MAX_LINK_CHARS: usize = 400;

/// The message with which a conversation begins.
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
