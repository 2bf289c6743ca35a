//! Parses a draft from a model's response. The JSON may be between words, in code fences or after thoughts, and may have missing or
//! unusual fields.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::domain::written_article::FaqEntry;
use crate::generation::generator::{ArticleDraft, DraftSection};

/// Maximum number of places in a text at which to try to parse an object.
const MAX_BEGINNINGS: usize = 200;
/// Phrases with which a model refuses.
const REFUSALS: [&str; 12] = [
    "i'm sorry",
    "i am sorry",
    "sorry,",
    "i can't",
    "i cannot",
    "i can not",
    "i won't",
    "i will not",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "as an ai",
];

/// Reason why a response contains no draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// The model refuses in words.
    Refusal,
    /// Any other text.
    NoDraft,
}

/// Returns the first draft in the text.
pub(super) fn read_draft(text: &str) -> Result<ArticleDraft, Unreadable> {
    // A model's thoughts may contain discarded drafts.
    let text = text.rsplit_once("</think>").map_or(text, |(_, answer)| answer);
    let beginnings = text.match_indices('{').map(|(at, _)| at).take(MAX_BEGINNINGS);
    let mut objects =
        beginnings.filter_map(|at| serde_json::Deserializer::from_str(&text[at..]).into_iter().next()?.ok());
    objects.find_map(draft).ok_or_else(|| if is_refusal(text) { Unreadable::Refusal } else { Unreadable::NoDraft })
}

fn is_refusal(text: &str) -> bool {
    let begin: String = text.trim_start().chars().take(40).collect::<String>().to_lowercase().replace('\u{2019}', "'");
    REFUSALS.iter().any(|refusal| begin.starts_with(refusal))
}

/// Parses an object, or the value of its only field, as a draft.
fn draft(object: Value) -> Option<ArticleDraft> {
    let inner = match &object {
        Value::Object(members) if members.len() == 1 => members.values().next().cloned(),
        _ => None,
    };
    [Some(object), inner].into_iter().flatten().find_map(|value| {
        let loose: LooseDraft = serde_json::from_value(value).ok()?;
        let has_text = loose.sections.iter().any(|section| !section.markdown.trim().is_empty());
        (!loose.title.trim().is_empty() && has_text).then(|| loose.into())
    })
}

/// Draft as models write it without a schema.
#[derive(Deserialize)]
struct LooseDraft {
    title: String,
    #[serde(default, deserialize_with = "or_default")]
    excerpt: String,
    #[serde(default, deserialize_with = "or_default")]
    meta_description: String,
    sections: Vec<LooseSection>,
    #[serde(default, deserialize_with = "or_default")]
    faq: Vec<FaqEntry>,
    #[serde(default, deserialize_with = "or_default")]
    keywords: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    tags: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    hero_alt: String,
}

#[derive(Deserialize)]
struct LooseSection {
    #[serde(default, deserialize_with = "or_default")]
    heading: String,
    #[serde(default, deserialize_with = "level")]
    level: u8,
    #[serde(alias = "content", alias = "body", alias = "text")]
    markdown: String,
}

impl From<LooseDraft> for ArticleDraft {
    fn from(loose: LooseDraft) -> Self {
        let sections = loose.sections.into_iter();
        Self {
            title: loose.title,
            excerpt: loose.excerpt,
            meta_description: loose.meta_description,
            sections: sections
                .map(|LooseSection { heading, level, markdown }| DraftSection { heading, level, markdown })
                .collect(),
            faq: loose.faq,
            keywords: loose.keywords,
            tags: loose.tags,
            hero_alt: loose.hero_alt,
        }
    }
}

/// Returns the value, or the default if it has another form. Missing values are derived or repaired later.
fn or_default<'de, T: Default + serde::de::DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).unwrap_or_default())
}

/// Parses a level as a number or as text, such as `"h2"`. Returns 2 for anything else.
fn level<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let digits = match Value::deserialize(from)? {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().ok(),
        _ => None,
    };
    Ok(digits.and_then(|level| u8::try_from(level).ok()).unwrap_or(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAFT: &str = r#"{"title":"T","sections":[{"heading":"","level":2,"markdown":"Text."}]}"#;

    #[test]
    fn a_draft_is_found_anywhere_in_the_text() {
        for text in [
            DRAFT.to_owned(),
            format!("Here is {{your}} article:\n```json\n{DRAFT}\n```\nEnjoy!"),
            format!("<think>{{\"title\":\"No\",\"sections\":[{{\"markdown\":\"x\"}}]}}</think>\n{DRAFT}"),
            format!("{{\"article\":{DRAFT}}}"),
            format!("[{DRAFT}]"),
        ] {
            assert_eq!(read_draft(&text).map(|draft| draft.title).as_deref(), Ok("T"), "{text}");
        }
    }

    #[test]
    fn fields_in_other_forms_do_not_lose_the_article() {
        let text = r#"{"title":"T","excerpt":null,"faq":"none","tags":[1],"sections":[{"heading":null,"level":"h3","content":"Text."}]}"#;
        let draft = read_draft(text).unwrap();
        assert_eq!((draft.sections[0].level, draft.sections[0].markdown.as_str(), draft.faq.len()), (3, "Text.", 0));
    }

    #[test]
    fn a_refusal_is_distinguished_from_noise() {
        assert_eq!(read_draft("I\u{2019}m sorry, but I can't help with that."), Err(Unreadable::Refusal));
        assert_eq!(read_draft("Sure! The article follows."), Err(Unreadable::NoDraft));
        assert_eq!(read_draft(&"{".repeat(100_000)), Err(Unreadable::NoDraft));
    }
}
