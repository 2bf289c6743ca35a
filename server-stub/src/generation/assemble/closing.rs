//! Builds the end of every body: links to related articles and the call to action.

use crate::domain::voice::{
    PointOfView, SupportedLanguage, TermMatcher, content_words, count_exclamations, count_pronouns_in, emoji,
    has_contraction, words,
};
use crate::domain::written_article::InternalLink;
use crate::generation::generator::ArticleBrief;

use super::markdown;

/// Maximum number of links to other articles.
const MAX_LINKS: usize = 3;
/// Minimum number of words of an article with a list of links.
const MIN_WORDS_FOR_LINKS: u32 = 400;

/// End of a body and the links in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Closing {
    /// `CommonMark`, or empty if there is nothing to add.
    pub markdown: String,
    /// Published articles that it links to.
    pub links: Vec<InternalLink>,
}

/// Builds the end of the body from the brief alone, so that a generator can compute its length.
pub fn closing(brief: &ArticleBrief) -> Closing {
    let mut closing = Closing::default();
    if brief.target_word_count >= MIN_WORDS_FOR_LINKS && !brief.published.is_empty() {
        let banned = brief.voice.vocabulary.forbidden();
        if let Some(heading) = link_headings(&brief.language).iter().find(|heading| !banned.matches(heading)) {
            closing.links = related(brief, &banned);
            closing.markdown = list_of_links(heading, &closing.links);
        }
    }
    if let Some(cta) = &brief.voice.cta {
        let text = match &cta.url {
            Some(url) => markdown::link(&cta.text, url),
            None => markdown::escape(&cta.text),
        };
        closing.markdown = format!("{}\n{text}\n", closing.markdown);
    }
    closing
}

/// Returns headings for the list in the article's language, or in English for other languages. The first one that the profile
/// allows is used.
fn link_headings(language: &str) -> [&'static str; 3] {
    match SupportedLanguage::of(language) {
        Some(SupportedLanguage::German) => ["Weiterlesen", "Passende Artikel", "Mehr auf dieser Website"],
        Some(SupportedLanguage::French) => ["À lire ensuite", "Articles voisins", "Ailleurs sur ce site"],
        Some(SupportedLanguage::Spanish) => ["Para seguir leyendo", "Artículos relacionados", "Más en este sitio"],
        Some(SupportedLanguage::English) | None => ["Read next", "Related articles", "More on this site"],
    }
}

fn list_of_links(heading: &str, links: &[InternalLink]) -> String {
    if links.is_empty() {
        return String::new();
    }
    let entries: Vec<String> =
        links.iter().map(|entry| format!("- {}\n", markdown::link(&entry.anchor_text, &entry.url))).collect();
    format!("## {heading}\n\n{}", entries.concat())
}

/// Returns published articles that share a word with the topic and whose titles satisfy the profile.
fn related(brief: &ArticleBrief, banned: &TermMatcher) -> Vec<InternalLink> {
    let topic = content_words(&brief.topic);
    let voice = &brief.voice;
    let language = SupportedLanguage::of(&brief.language).unwrap_or(SupportedLanguage::English);
    let fits = |text: &str| {
        let pronouns = count_pronouns_in(language, text);
        // A title becomes part of the text, so its pronouns must fit the profile's point of view.
        let names_nobody_else = match voice.point_of_view {
            PointOfView::Any | PointOfView::FirstPersonSingular => true,
            PointOfView::FirstPersonPlural | PointOfView::SecondPerson => pronouns.singular == 0,
            PointOfView::ThirdPerson => pronouns.singular + pronouns.plural + pronouns.second == 0,
        };
        names_nobody_else
            && !text.trim().is_empty()
            && !banned.matches(text)
            && !has_contraction(text)
            && emoji(text).is_none()
            && count_exclamations(text) == 0
            && words(text).count() <= voice.max_sentence_words as usize
    };
    let mut candidates: Vec<(usize, &InternalLink)> = brief
        .published
        .iter()
        .filter(|entry| entry.url.starts_with("https://") || entry.url.starts_with("http://"))
        .filter(|entry| voice.cta.as_ref().and_then(|cta| cta.url.as_ref()) != Some(&entry.url))
        .filter(|entry| fits(&entry.anchor_text))
        .map(|entry| (content_words(&entry.anchor_text).iter().filter(|word| topic.contains(word)).count(), entry))
        .filter(|(shared, _)| *shared > 0)
        .collect();
    candidates.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    candidates.into_iter().take(MAX_LINKS).map(|(_, entry)| entry.clone()).collect()
}
