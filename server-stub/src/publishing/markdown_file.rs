//! Renders an article as a Markdown file for static site generators. See `directory` for the location of the file.

use std::fmt::Write as _;

use serde_json::{Value, json};
use toml::Table;

use crate::domain::article::Article;
use crate::domain::clock::Timestamp;
use crate::domain::publishing_target::FrontMatter;

/// Name of the front matter field with the article's id, in YAML and in TOML.
const OWNER: &str = "contentgen_id";

/// Renders the text of the file.
pub(super) fn render(article: &Article, front_matter: FrontMatter, published_at: Timestamp) -> String {
    let head = match front_matter {
        FrontMatter::Yaml => format!("---\n{}---\n", yaml(article, published_at)),
        FrontMatter::Toml => format!("+++\n{}+++\n", toml(article, published_at)),
    };
    format!("{head}\n{}\n", without_templates(article.content.content_markdown.trim_end()))
}

/// Returns true if the beginning of a file contains the id of this article.
pub(super) fn is_of(head: &str, article_id: &str) -> bool {
    let quoted = format!("\"{article_id}\"");
    head.lines().any(|line| {
        let value = line.strip_prefix(OWNER).map(|rest| rest.trim_start_matches([' ', ':', '=']));
        value.is_some_and(|value| value.trim_end() == quoted)
    })
}

/// Renders fields that Hugo, Jekyll and Eleventy read. A generator passes unknown fields to the site's templates.
fn yaml(article: &Article, published_at: Timestamp) -> String {
    let content = &article.content;
    let address = format!("/{}/", content.slug);
    let mut members = vec![
        ("title", json!(content.title)),
        ("description", json!(content.meta_description)),
        ("summary", json!(content.excerpt)),
        ("date", json!(published_at)),
        ("lastmod", json!(article.updated_at.max(published_at))),
        ("slug", json!(content.slug)),
        // Hugo reads `url`; Jekyll and Eleventy read `permalink`.
        ("url", json!(address)),
        ("permalink", json!(address)),
        ("lang", json!(content.language)),
        ("keywords", json!(content.keywords)),
        ("tags", json!(content.tags)),
        ("canonical_url", json!(article.canonical_url)),
        (OWNER, json!(article.id)),
        ("faq", json!(content.faq)),
    ];
    if let Some(image) = &content.hero_image {
        members.push(("image_alt", json!(image.alt)));
        members.extend(image.url.as_ref().map(|url| ("image", json!(url))));
    }
    members.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{name}: {}", yaml_value(value));
        text
    })
}

/// Renders a JSON value as YAML. JSON is valid YAML, but some older parsers misread or reject the characters escaped here.
fn yaml_value(value: &Value) -> String {
    let mut text = String::new();
    for character in value.to_string().chars() {
        match character {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(text, "\\u{:04x}", u32::from(character));
            }
            plain => text.push(plain),
        }
    }
    text
}

/// Renders fields that Zola reads. Zola rejects unknown fields outside of `extra`.
fn toml(article: &Article, published_at: Timestamp) -> String {
    let content = &article.content;
    let mut extra = Table::from_iter([
        (OWNER.to_owned(), article.id.clone().into()),
        ("excerpt".to_owned(), content.excerpt.clone().into()),
        ("language".to_owned(), content.language.clone().into()),
        ("keywords".to_owned(), content.keywords.clone().into()),
    ]);
    extra.extend(article.canonical_url.clone().map(|url| ("canonical_url".to_owned(), url.into())));
    if let Some(image) = &content.hero_image {
        extra.insert("image_alt".to_owned(), image.alt.clone().into());
        extra.extend(image.url.clone().map(|url| ("image".to_owned(), url.into())));
    }
    let faq = content.faq.iter().map(|entry| {
        Table::from_iter([
            ("question".to_owned(), entry.question.clone().into()),
            ("answer".to_owned(), entry.answer.clone().into()),
        ])
    });
    extra.insert("faq".to_owned(), faq.collect::<Vec<_>>().into());
    let mut table = Table::from_iter([
        ("title".to_owned(), content.title.clone().into()),
        ("description".to_owned(), content.meta_description.clone().into()),
        ("date".to_owned(), moment(published_at)),
        ("updated".to_owned(), moment(article.updated_at.max(published_at))),
        ("slug".to_owned(), content.slug.clone().into()),
        ("path".to_owned(), content.slug.clone().into()),
        ("extra".to_owned(), extra.into()),
    ]);
    if !content.tags.is_empty() {
        let taxonomies = Table::from_iter([("tags".to_owned(), content.tags.clone().into())]);
        table.insert("taxonomies".to_owned(), taxonomies.into());
    }
    table.to_string()
}

fn moment(time: Timestamp) -> toml::Value {
    toml::Value::Datetime(time.to_string().parse().expect("both are RFC 3339"))
}

/// Inserts a backslash between characters that begin a template, a shortcode or attributes (kramdown): otherwise the generator
/// would run template code that an article only mentions. The backslash is visible only inside code.
fn without_templates(markdown: &str) -> String {
    let mut text = String::with_capacity(markdown.len());
    let mut is_behind_brace = false;
    for character in markdown.chars() {
        if is_behind_brace && matches!(character, '{' | '%' | '#' | ':') {
            text.push('\\');
        }
        is_behind_brace = character == '{';
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_begins_a_template() {
        for text in ["{{ x }}", "{{{{< x >}}", "{% x %}", "{# x #}", "{: .class }", "a { b", "{\n{"] {
            let safe = without_templates(text);
            assert!(["{{", "{%", "{#", "{:"].iter().all(|begin| !safe.contains(begin)), "{safe}");
            assert_eq!(safe.replace('\\', ""), text);
        }
    }

    #[test]
    fn a_file_is_known_by_its_id_in_either_form() {
        for head in ["---\ncontentgen_id: \"art_1\"\n", "+++\n[extra]\ncontentgen_id = \"art_1\"\n"] {
            assert!(is_of(head, "art_1") && !is_of(head, "art_"), "{head}");
        }
        assert!(!is_of("title: \"contentgen_id: art_1\"", "art_1"));
    }
}
