//! Content of a finished article, with the contract's field names. `article` has its id, state and times.

use any_ascii::any_ascii_char;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use super::voice::VoiceReport;

/// Content of an article, derived once from a generator's draft (contract section 1.7). The server adds the fields that depend on
/// when and where the article is stored: `id`, `job_id`, `website_id`, `status`, `url`, `canonical_url`, `metadata` and the
/// times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WrittenArticle {
    /// The topic exactly as requested.
    pub topic: String,
    /// Plain text, 1 to 110 characters.
    pub title: String,
    /// URL part made from the title. The store appends a suffix if the website already uses it.
    pub slug: String,
    /// Plain text, at most 300 characters.
    pub excerpt: String,
    /// Plain text, at most 60 characters.
    pub meta_title: String,
    /// Plain text, 50 to 160 characters.
    pub meta_description: String,
    /// `CommonMark` with tables, without a level-one heading and without raw HTML.
    pub content_markdown: String,
    /// Sanitised rendering of `content_markdown`.
    pub content_html: String,
    /// The headings of the content, in order.
    pub outline: Vec<OutlineEntry>,
    /// 0 to 10 search phrases; the requested ones, if any.
    pub keywords: Vec<String>,
    /// 0 to 10 short labels.
    pub tags: Vec<String>,
    /// 0 to 10 questions with their answers.
    pub faq: Vec<FaqEntry>,
    /// Links to published articles of the same website.
    pub internal_links: Vec<InternalLink>,
    /// The picture, or only its alternative text without a picture.
    pub hero_image: Option<HeroImage>,
    /// `{"@context", "@graph": [BlogPosting, FAQPage?]}`.
    pub json_ld: Value,
    /// BCP 47 tag, echoed from the request.
    pub language: String,
    /// Number of runs of non-white-space in the text of `content_html`.
    pub word_count: u32,
    /// `max(1, ceil(word_count / 275))`.
    pub reading_time_minutes: u32,
    /// The checks of the Brand DNA profile.
    pub voice: VoiceReport,
    /// `offline`, or `llm:<provider>/<model>`.
    pub generator: String,
}

/// One heading of an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineEntry {
    /// 2 to 4.
    pub level: u8,
    /// The heading as plain text.
    pub text: String,
    /// The `id` of the heading in the HTML, unique within the article.
    pub anchor: String,
}

/// A question with its answer, both plain text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FaqEntry {
    /// Ends with a question mark.
    pub question: String,
    /// One or more sentences.
    pub answer: String,
}

/// A link to another published article of the same website.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InternalLink {
    /// Absolute URL of the published article.
    pub url: String,
    /// Text of the link, usually that article's title.
    pub anchor_text: String,
}

/// The article's picture. Without `url`, it describes the picture to choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeroImage {
    /// Absolute https URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Alternative text, 1 to 125 characters.
    pub alt: String,
    /// Width in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Height in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
}

/// Maximum length of a slug in characters.
pub const MAX_SLUG_CHARS: usize = 80;

/// Makes a slug: `^[a-z0-9]+(-[a-z0-9]+)*$`, at most [`MAX_SLUG_CHARS`] characters, `article` if nothing is left. Other scripts
/// become Latin letters.
pub fn slugify(text: &str) -> String {
    let mut slug = String::new();
    for character in text.nfc() {
        if slug.len() > MAX_SLUG_CHARS {
            break;
        }
        for character in plain_letters(character).chars() {
            if character.is_ascii_alphanumeric() {
                slug.push(character.to_ascii_lowercase());
            } else if !slug.is_empty() && !slug.ends_with('-') && character != '\'' {
                slug.push('-');
            }
        }
    }
    let slug = shorten_slug(&slug, MAX_SLUG_CHARS);
    if slug.is_empty() { "article".to_owned() } else { slug }
}

/// Returns the slug with `-number` at its end, still within [`MAX_SLUG_CHARS`].
pub fn suffixed_slug(slug: &str, number: u32) -> String {
    let suffix = format!("-{number}");
    format!("{}{suffix}", shorten_slug(slug, MAX_SLUG_CHARS - suffix.len()))
}

/// Returns the reading time in minutes, at 275 words a minute.
pub fn reading_time_minutes(word_count: u32) -> u32 {
    word_count.div_ceil(275).max(1)
}

fn shorten_slug(slug: &str, limit: usize) -> String {
    let slug = slug.trim_matches('-');
    if slug.len() <= limit {
        return slug.to_owned();
    }
    let cut = &slug[..limit];
    let whole_words = if slug.as_bytes()[limit] == b'-' { cut } else { cut.rfind('-').map_or(cut, |end| &cut[..end]) };
    whole_words.trim_matches('-').to_owned()
}

/// Returns the character in ASCII, or an empty text. The umlauts are as in German.
fn plain_letters(character: char) -> &'static str {
    match character {
        'ä' | 'Ä' => "ae",
        'ö' | 'Ö' | 'ø' | 'Ø' => "oe",
        'ü' | 'Ü' => "ue",
        // The name of an emoji, such as `:tada:`, is not part of the text.
        _ => Some(any_ascii_char(character)).filter(|plain| plain.len() == 1 || !plain.starts_with(':')).unwrap_or(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_keeps_only_letters_digits_and_single_hyphens() {
        assert_eq!(slugify("How to Brew: Café Crème & Tea!"), "how-to-brew-cafe-creme-tea");
        assert_eq!(slugify("Don't panic"), "dont-panic");
        assert_eq!(slugify("¿…?"), "article");
    }

    #[test]
    fn names_in_any_script_become_latin_letters() {
        for (text, expected) in [
            ("căn hộ in Hà Nội", "can-ho-in-ha-noi"),
            ("İstanbul", "istanbul"),
            ("Cre\u{300}me bru\u{302}le\u{301}e", "creme-brulee"),
            ("Использовать Redis", "ispolzovat-redis"),
            ("Gėlės", "geles"),
            ("Größe, Äpfel und Øre", "groesse-aepfel-und-oere"),
            ("Ελληνικά", "ellinika"),
            ("日本語", "ribenyu"),
            ("한국어", "hangugeo"),
            ("\u{1f389} Party \u{1f389}", "party"),
            ("e\u{301}\u{327}\u{361}a", "ea"),
        ] {
            assert_eq!(slugify(text), expected, "{text}");
        }
    }

    #[test]
    fn a_long_slug_ends_at_a_whole_word_and_leaves_room_for_its_suffix() {
        let slug = slugify(&"pruning roses ".repeat(20));
        assert!(slug.len() <= MAX_SLUG_CHARS && !slug.ends_with('-'), "{slug}");
        let suffixed = suffixed_slug(&slug, 1234);
        assert!(suffixed.len() <= MAX_SLUG_CHARS && suffixed.ends_with("-1234"), "{suffixed}");
        assert_eq!(slugify(&"x".repeat(200)).len(), MAX_SLUG_CHARS);
    }
}
