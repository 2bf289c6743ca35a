//! Parses a draft from the texts of a model's response. The JSON may be between words, in code fences or after thoughts, may have
//! missing or unusual fields, and may break the rules of JSON in a few ways.

use std::fmt::Write as _;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::domain::written_article::FaqEntry;
use crate::generation::generator::{ArticleDraft, DraftSection};

/// Maximum number of bytes of a text. The longest article with long thoughts has a quarter of it.
const MAX_TEXT_BYTES: usize = 4 * 1024 * 1024;
/// Maximum number of places in a text at which to try to parse an object: in thoughts, and in all.
const MAX_BEGINNINGS: (usize, usize) = (200, 400);
/// Maximum number of bytes of an object to repair. The longest article has half of it.
const MAX_REPAIRED_BYTES: usize = 1024 * 1024;
/// Marks before and after a model's thoughts, in any letter case. Add a row for another model.
const THOUGHTS: [(&str, &str); 11] = [
    // DeepSeek, Qwen and many others. Some templates put the first mark into the prompt.
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    // Mistral.
    ("[THINK]", "[/THINK]"),
    // Channels of gpt-oss ("harmony").
    ("<|channel|>analysis", "<|channel|>final"),
    ("<|channel|>commentary", "<|channel|>final"),
    // Kimi, Open Thinker, Cohere.
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
];
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unreadable {
    /// The model refuses in words.
    Refusal,
    /// Any other text.
    NoDraft,
}

/// Returns the draft in the first text that has one.
pub(super) fn read_draft(texts: &[String], was_cut_off: bool) -> Result<ArticleDraft, Unreadable> {
    let mut failure = Unreadable::NoDraft;
    for text in texts.iter().filter(|text| text.len() <= MAX_TEXT_BYTES) {
        match read_text(text, was_cut_off) {
            Ok(draft) => return Ok(draft),
            Err(other) => failure = failure.min(other),
        }
    }
    Err(failure)
}

/// Returns the last draft in the text. Leaves out those in the model's thoughts, unless the text ends in thoughts without having been
/// cut off. A mark inside an object that parses is text of the article.
fn read_text(text: &str, was_cut_off: bool) -> Result<ArticleDraft, Unreadable> {
    let mut drafts = Vec::new();
    // Number of drafts before the open thoughts.
    let mut before_thoughts = None;
    let (mut at, mut answer, mut tries) = (0, 0, 0);
    while let Some(found) = text[at..].find(['{', '<', '[', '\u{25c1}']) {
        at += found;
        let rest = &text[at..];
        let begins = |mark: &&str| rest.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark));
        let most = if before_thoughts.is_some() { MAX_BEGINNINGS.0 } else { MAX_BEGINNINGS.1 };
        if let Some(mark) = THOUGHTS.iter().map(|(_, end)| end).find(|mark| begins(mark)) {
            drafts.truncate(before_thoughts.take().unwrap_or(0));
            at += mark.len();
            answer = at;
        } else if let Some(mark) = THOUGHTS.iter().map(|(begin, _)| begin).find(|mark| begins(mark)) {
            before_thoughts.get_or_insert(drafts.len());
            at += mark.len();
        } else if rest.starts_with('{') && tries < most {
            tries += 1;
            let draft = object(rest).and_then(|(object, length)| Some((draft(object)?, length)));
            at += draft.as_ref().map_or(1, |(_, length)| *length);
            drafts.extend(draft.map(|(draft, _)| draft));
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    if was_cut_off {
        drafts.truncate(before_thoughts.unwrap_or(drafts.len()));
    }
    // A model may apologise and then write an object that cannot be read. That is no refusal.
    let rest = &text[answer..];
    let failure = if !rest.contains('{') && is_refusal(rest) { Unreadable::Refusal } else { Unreadable::NoDraft };
    drafts.pop().ok_or(failure)
}

/// Parses the object at the beginning of a text. Returns it with its length in the text.
fn object(text: &str) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    if let Some(Ok(value)) = values.next() {
        return Some((value, values.byte_offset()));
    }
    let (json, length) = repaired(text)?;
    Some((serde_json::from_str(&json).ok()?, length))
}

/// Repairs the mistakes of small models in the object at the beginning of a text: raw line breaks in strings, escapes that JSON does not
/// have, such as those of Markdown, and commas before a closing bracket. Returns the object with its length in the text.
fn repaired(text: &str) -> Option<(String, usize)> {
    let mut json = String::new();
    let (mut depth, mut is_string) = (0_usize, false);
    let mut characters = text.char_indices().take_while(|(at, _)| *at < MAX_REPAIRED_BYTES);
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => is_string = !is_string,
            '\\' if is_string => {
                let (_, escaped) = characters.next()?;
                match escaped {
                    '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u' => json.extend(['\\', escaped]),
                    '\'' => json.push('\''),
                    other if other < ' ' => {
                        write!(json, "\\u{:04x}", u32::from(other)).expect("a string takes everything");
                    }
                    other => json.extend(['\\', '\\', other]),
                }
                continue;
            }
            raw if is_string && raw < ' ' => {
                write!(json, "\\u{:04x}", u32::from(raw)).expect("a string takes everything");
                continue;
            }
            '{' | '[' if !is_string => depth += 1,
            '}' | ']' if !is_string => {
                json.truncate(json.trim_end().trim_end_matches(',').len());
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    json.push(character);
                    return Some((json, at + 1));
                }
            }
            _ => {}
        }
        json.push(character);
    }
    None
}

fn is_refusal(text: &str) -> bool {
    // After its channel, a text in the format of harmony begins with this mark.
    let text = text.trim_start().trim_start_matches("<|message|>");
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
        let draft: ArticleDraft = serde_json::from_value::<LooseDraft>(value).ok()?.into();
        (!draft.title.trim().is_empty() && !draft.sections.is_empty()).then_some(draft)
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
    #[serde(default, deserialize_with = "or_default")]
    markdown: String,
    #[serde(default, deserialize_with = "or_default")]
    content: String,
    #[serde(default, deserialize_with = "or_default")]
    body: String,
    #[serde(default, deserialize_with = "or_default")]
    text: String,
}

impl LooseSection {
    fn into_section(self) -> DraftSection {
        let texts = [self.markdown, self.content, self.body, self.text];
        let markdown = texts.into_iter().find(|text| !text.trim().is_empty()).unwrap_or_default();
        DraftSection { heading: self.heading, level: self.level, markdown }
    }
}

impl From<LooseDraft> for ArticleDraft {
    fn from(loose: LooseDraft) -> Self {
        let sections = loose.sections.into_iter();
        Self {
            title: loose.title,
            excerpt: loose.excerpt,
            meta_description: loose.meta_description,
            sections: sections.map(LooseSection::into_section).filter(|section| !section.markdown.is_empty()).collect(),
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

    /// Returns the title of the draft in a text.
    fn title(text: &str) -> Result<String, Unreadable> {
        read_draft(&[text.to_owned()], false).map(|draft| draft.title)
    }

    #[test]
    fn a_draft_is_found_anywhere_in_the_text() {
        for text in [
            DRAFT.to_owned(),
            format!("Here is {{your}} article:\n```json\n{DRAFT}\n```\nEnjoy!"),
            format!("{{\"article\":{DRAFT}}}"),
            format!("{{\"name\":\"article_draft\",\"arguments\":{DRAFT}}}"),
            format!("[{DRAFT}]"),
        ] {
            assert_eq!(title(&text).as_deref(), Ok("T"), "{text}");
        }
    }

    #[test]
    fn drafts_in_thoughts_are_left_out_and_marks_in_a_draft_are_text() {
        let discarded = DRAFT.replace("\"T\"", "\"No\"");
        for (begin, end) in THOUGHTS.into_iter().chain([("", "</THINK>")]) {
            let thoughts = format!("{begin} Perhaps {discarded}? {}{end}\n", "{".repeat(300));
            assert_eq!(title(&format!("{thoughts}{DRAFT}")).as_deref(), Ok("T"), "{begin}");
            assert_eq!(title(&format!("{thoughts}I cannot help.")), Err(Unreadable::Refusal), "{begin}");
            let about = DRAFT.replace("Text.", &format!("Models write {begin} and {end}."));
            assert_eq!(title(&about).as_deref(), Ok("T"), "{about}");
        }
        let open = [format!("<think>Perhaps {discarded}?")];
        assert_eq!(read_draft(&open, true), Err(Unreadable::NoDraft));
        assert!(read_draft(&open, false).is_ok(), "a model that never ends its thoughts has written all the same");
        assert_eq!(title(&format!("{discarded}\nBetter:\n{DRAFT}")).as_deref(), Ok("T"));
    }

    #[test]
    fn mistakes_of_small_models_are_repaired() {
        let text = "{\"title\":\"T\",\"sections\":[{\"markdown\":\"One\nline\tand\\_more\\\r\\'s \\\"end\\\"\"},],}";
        let draft = read_draft(&[format!("Sure {{here}}: {text} Done.")], false).unwrap();
        assert_eq!(draft.sections[0].markdown, "One\nline\tand\\_more\r's \"end\"");
        assert_eq!(repaired(&format!("{{\"a\": \"{}\"}}", "b".repeat(MAX_REPAIRED_BYTES))), None);
    }

    #[test]
    fn fields_in_other_forms_do_not_lose_the_article() {
        let text = r#"{"title":"T","excerpt":null,"faq":"none","tags":[1],"sections":[{"heading":null,"level":"h3","content":"Text."},{"heading":"Empty"},{"markdown":"More.","level":2,"text":"No."}]}"#;
        let draft = read_draft(&[text.to_owned()], false).unwrap();
        let texts: Vec<_> = draft.sections.iter().map(|section| (section.level, section.markdown.as_str())).collect();
        assert_eq!((texts, draft.faq.len()), (vec![(3, "Text."), (2, "More.")], 0));
    }

    #[test]
    fn a_refusal_is_distinguished_from_noise() {
        assert_eq!(title("I\u{2019}m sorry, but I can't help with that."), Err(Unreadable::Refusal));
        assert_eq!(title("<|message|>I cannot help with that."), Err(Unreadable::Refusal));
        assert_eq!(title("Sure! The article follows."), Err(Unreadable::NoDraft));
        assert_eq!(title("I'm sorry for the confusion, here is the article: {\"title\":"), Err(Unreadable::NoDraft));
        assert_eq!(title(&"{".repeat(100_000)), Err(Unreadable::NoDraft));
    }
}
