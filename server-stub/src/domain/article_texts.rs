//! The texts of an article that a user can edit, and their bounds. `generation::assemble` derives the rest of the article from them.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};
use url::Url;

use super::written_article::{FaqEntry, HeroImage, WrittenArticle};

/// Maximum length of a title in characters.
pub const MAX_TITLE_CHARS: usize = 110;
/// Maximum length of an excerpt in characters.
pub const MAX_EXCERPT_CHARS: usize = 300;
/// Maximum length of a title for search engines in characters.
pub const MAX_META_TITLE_CHARS: usize = 60;
/// Minimum length of a description for search engines in characters.
pub const MIN_META_DESCRIPTION_CHARS: usize = 50;
/// Maximum length of a description for search engines in characters.
pub const MAX_META_DESCRIPTION_CHARS: usize = 160;
/// Maximum length of a picture's alternative text in characters.
pub const MAX_ALT_CHARS: usize = 125;
/// Maximum number of keywords, of tags and of questions.
pub const MAX_LIST_ITEMS: usize = 10;
/// Maximum length of an edited body in characters. The longest requested article has about half of it.
pub const MAX_BODY_CHARS: usize = 60_000;
/// Maximum length of an edited keyword or tag in characters.
pub const MAX_ITEM_CHARS: usize = 80;
/// Maximum length of an edited question in characters.
pub const MAX_QUESTION_CHARS: usize = 300;
/// Maximum length of an edited answer in characters.
pub const MAX_ANSWER_CHARS: usize = 2000;
/// Maximum length of a picture's address in bytes.
const MAX_ADDRESS_BYTES: usize = 2048;

/// The texts of an article that a user can edit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArticleTexts {
    /// Plain text of 1 to [`MAX_TITLE_CHARS`] characters.
    pub title: String,
    /// Plain text of at most [`MAX_EXCERPT_CHARS`] characters.
    pub excerpt: String,
    /// Plain text of 1 to [`MAX_META_TITLE_CHARS`] characters.
    pub meta_title: String,
    /// Plain text of [`MIN_META_DESCRIPTION_CHARS`] to [`MAX_META_DESCRIPTION_CHARS`] characters.
    pub meta_description: String,
    /// `CommonMark` with tables.
    pub content_markdown: String,
    /// Search phrases.
    pub keywords: Vec<String>,
    /// Short labels.
    pub tags: Vec<String>,
    /// Questions with their answers.
    pub faq: Vec<FaqEntry>,
    /// The picture, or only its alternative text without a picture.
    pub hero_image: Option<HeroImage>,
}

/// An error in one of the texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextViolation {
    /// Name of the text: a field of the article, `image_url` or `image_alt`, or `question_` or `answer_` with its number from 1.
    pub field: String,
    /// The error and its fix, as a fragment of a sentence.
    pub message: String,
}

impl ArticleTexts {
    /// Returns the texts of an article.
    pub fn of(content: &WrittenArticle) -> Self {
        Self {
            title: content.title.clone(),
            excerpt: content.excerpt.clone(),
            meta_title: content.meta_title.clone(),
            meta_description: content.meta_description.clone(),
            content_markdown: content.content_markdown.clone(),
            keywords: content.keywords.clone(),
            tags: content.tags.clone(),
            faq: content.faq.clone(),
            hero_image: content.hero_image.clone(),
        }
    }

    /// Returns all errors, at most one for each text.
    pub fn violations(&self) -> Vec<TextViolation> {
        let mut found = Found::default();
        found.text("title", "the title", &self.title, (1, MAX_TITLE_CHARS));
        found.text("excerpt", "the excerpt", &self.excerpt, (0, MAX_EXCERPT_CHARS));
        found.text("meta_title", "the title for search engines", &self.meta_title, (1, MAX_META_TITLE_CHARS));
        let bounds = (MIN_META_DESCRIPTION_CHARS, MAX_META_DESCRIPTION_CHARS);
        found.text("meta_description", "the description for search engines", &self.meta_description, bounds);
        found.body(&self.content_markdown);
        found.list("keywords", "keywords", &self.keywords);
        found.list("tags", "tags", &self.tags);
        found.questions(&self.faq);
        if let Some(image) = &self.hero_image {
            found.text("image_alt", "the description of the picture", &image.alt, (1, MAX_ALT_CHARS));
            if image.url.as_deref().is_some_and(|url| !is_picture_address(url)) {
                let message = format!(
                    "the address of the picture must begin with https:// and have at most {MAX_ADDRESS_BYTES} bytes"
                );
                found.add("image_url", message);
            }
        }
        found.0
    }
}

#[derive(Default)]
struct Found(Vec<TextViolation>);

impl Found {
    fn add(&mut self, field: &str, message: String) {
        self.0.push(TextViolation { field: field.to_owned(), message });
    }

    fn text(&mut self, field: &str, name: &str, text: &str, (min, max): (usize, usize)) {
        if !(min..=max).contains(&text.chars().count()) {
            let bounds = if min == 0 { format!("at most {max}") } else { format!("{min} to {max}") };
            self.add(field, format!("{name} must have {bounds} characters"));
        } else if text.contains(char::is_control) {
            self.add(field, format!("{name} must have no control characters"));
        }
    }

    fn list(&mut self, field: &str, name: &str, items: &[String]) {
        if items.len() > MAX_LIST_ITEMS {
            self.add(field, format!("there can be at most {MAX_LIST_ITEMS} {name}"));
        } else if items.iter().any(|item| item.chars().count() > MAX_ITEM_CHARS || item.contains(char::is_control)) {
            self.add(field, format!("{name} must have at most {MAX_ITEM_CHARS} characters each, one in a line"));
        }
    }

    fn questions(&mut self, faq: &[FaqEntry]) {
        if faq.len() > MAX_LIST_ITEMS {
            self.add("question_1", format!("there can be at most {MAX_LIST_ITEMS} questions"));
        }
        for (FaqEntry { question, answer }, number) in faq.iter().zip(1..=MAX_LIST_ITEMS) {
            let name = format!("question {number}");
            self.text(&format!("question_{number}"), &name, question, (1, MAX_QUESTION_CHARS));
            self.text(&format!("answer_{number}"), &format!("the answer to {name}"), answer, (1, MAX_ANSWER_CHARS));
        }
    }

    fn body(&mut self, markdown: &str) {
        let is_control = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
        let problem = if markdown.trim().is_empty() {
            Some("the text must not be empty".to_owned())
        } else if markdown.chars().count() > MAX_BODY_CHARS {
            Some(format!("the text must have at most {MAX_BODY_CHARS} characters"))
        } else if markdown.contains(is_control) {
            Some("the text must have no control characters".to_owned())
        } else {
            problem_of_markup(markdown)
        };
        if let Some(problem) = problem {
            self.add("content_markdown", problem);
        }
    }
}

/// Returns the first part of the Markdown that the page could not show, with its line.
fn problem_of_markup(markdown: &str) -> Option<String> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter().find_map(|(event, range)| {
        let problem = match event {
            Event::Html(_) | Event::InlineHtml(_) => "the text must have no HTML: use Markdown, or write &lt; for <",
            Event::Start(Tag::Heading { level: HeadingLevel::H1 | HeadingLevel::H5 | HeadingLevel::H6, .. }) => {
                "headings must have the levels 2 to 4 (## to ####), because the title is level 1"
            }
            Event::Start(Tag::Link { dest_url, .. }) if !is_link_address(&dest_url) => {
                "links must begin with https://, http:// or mailto:"
            }
            Event::Start(Tag::Image { dest_url, .. }) if !is_picture_address(&dest_url) => {
                "addresses of pictures must begin with https://"
            }
            _ => return None,
        };
        let line = markdown[..range.start].matches('\n').count() + 1;
        Some(format!("{problem} (line {line})"))
    })
}

fn is_link_address(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https" | "mailto"))
}

fn is_picture_address(address: &str) -> bool {
    address.len() <= MAX_ADDRESS_BYTES
        && address.starts_with("https://")
        && Url::parse(address).is_ok_and(|url| url.host_str().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> ArticleTexts {
        ArticleTexts {
            title: "Rye".to_owned(),
            meta_title: "Rye".to_owned(),
            meta_description: "x".repeat(MIN_META_DESCRIPTION_CHARS),
            content_markdown: "## One\n\ntext\n".to_owned(),
            ..ArticleTexts::default()
        }
    }

    #[test]
    fn each_text_has_its_bounds() {
        assert_eq!(texts().violations(), []);
        let long = |count: usize| "é".repeat(count);
        let faq = |question: &str, answer: &str| FaqEntry { question: question.to_owned(), answer: answer.to_owned() };
        let image = |url: &str, alt: &str| {
            Some(HeroImage { url: Some(url.to_owned()), alt: alt.to_owned(), width: None, height: None })
        };
        let cases = [
            ("title", ArticleTexts { title: String::new(), ..texts() }),
            ("title", ArticleTexts { title: long(MAX_TITLE_CHARS + 1), ..texts() }),
            ("title", ArticleTexts { title: "a\u{0}".to_owned(), ..texts() }),
            ("excerpt", ArticleTexts { excerpt: long(MAX_EXCERPT_CHARS + 1), ..texts() }),
            ("meta_title", ArticleTexts { meta_title: long(MAX_META_TITLE_CHARS + 1), ..texts() }),
            ("meta_description", ArticleTexts { meta_description: long(MIN_META_DESCRIPTION_CHARS - 1), ..texts() }),
            ("meta_description", ArticleTexts { meta_description: long(MAX_META_DESCRIPTION_CHARS + 1), ..texts() }),
            ("content_markdown", ArticleTexts { content_markdown: " \n".to_owned(), ..texts() }),
            ("content_markdown", ArticleTexts { content_markdown: long(MAX_BODY_CHARS + 1), ..texts() }),
            ("keywords", ArticleTexts { keywords: vec!["k".to_owned(); MAX_LIST_ITEMS + 1], ..texts() }),
            ("tags", ArticleTexts { tags: vec![long(MAX_ITEM_CHARS + 1)], ..texts() }),
            ("question_2", ArticleTexts { faq: vec![faq("Why?", "So."), faq("", "So.")], ..texts() }),
            ("answer_1", ArticleTexts { faq: vec![faq("Why?", "")], ..texts() }),
            ("question_1", ArticleTexts { faq: vec![faq("Why?", "So."); MAX_LIST_ITEMS + 1], ..texts() }),
            ("image_alt", ArticleTexts { hero_image: image("https://a.example/b.jpg", ""), ..texts() }),
            ("image_url", ArticleTexts { hero_image: image("http://a.example/b.jpg", "A loaf"), ..texts() }),
            ("image_url", ArticleTexts { hero_image: image("https://", "A loaf"), ..texts() }),
        ];
        for (field, texts) in cases {
            let fields: Vec<_> = texts.violations().into_iter().map(|violation| violation.field).collect();
            assert_eq!(fields, [field], "{texts:?}");
        }
        for most in [
            ArticleTexts { title: long(MAX_TITLE_CHARS), excerpt: long(MAX_EXCERPT_CHARS), ..texts() },
            ArticleTexts { meta_description: long(MAX_META_DESCRIPTION_CHARS), ..texts() },
            ArticleTexts { content_markdown: long(MAX_BODY_CHARS), ..texts() },
            ArticleTexts { faq: vec![faq("Why?", "So."); MAX_LIST_ITEMS], ..texts() },
            ArticleTexts { hero_image: image("https://a.example/b.jpg", "A loaf"), ..texts() },
        ] {
            assert_eq!(most.violations(), []);
        }
    }

    #[test]
    fn a_body_has_only_what_its_page_shows() {
        for (markdown, line) in [
            ("# Title", 1),
            ("Title\n=====", 1),
            ("text\n\n##### Deep", 3),
            ("text\n\n<div>\n", 3),
            ("a <b>c</b>", 1),
            ("<!-- note -->", 1),
            ("[about us](/about)", 1),
            ("text\n[x](javascript:alert(1))", 2),
            ("![x](http://a.example/b.png)", 1),
            ("![x](data:image/png;base64,AA==)", 1),
        ] {
            let problem = problem_of_markup(markdown).unwrap_or_else(|| panic!("{markdown} is accepted"));
            assert!(problem.ends_with(&format!("(line {line})")), "{markdown}: {problem}");
        }
        for markdown in [
            "`<b>` and &lt;b>",
            "[x](https://a.example/?a=1&b=2) <mailto:a@b.example>",
            "> quoted\n\n1. one\n",
            "a < b",
        ] {
            assert_eq!(problem_of_markup(markdown), None, "{markdown}");
        }
    }
}
