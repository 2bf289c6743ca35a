//! Describes an article in schema.org terms. Adds the values that are known only when it is shown: address, dates and author.

use serde_json::{Map, Value, json};

use crate::domain::account::Website;
use crate::domain::article::Article;

/// Returns the article's structured data, completed, as safe text for a script element.
pub(super) fn script_text(website: &Website, article: &Article, address: &str) -> String {
    let mut document = article.content.json_ld.clone();
    if let Some(nodes) = document.get_mut("@graph").and_then(Value::as_array_mut) {
        for node in nodes.iter_mut().filter_map(Value::as_object_mut) {
            match node.get("@type").and_then(Value::as_str) {
                Some("BlogPosting") => complete_posting(node, website, article, address),
                Some("FAQPage") => set_missing(node, [("@id", json!(format!("{address}#_questions")))]),
                _ => {}
            }
        }
    }
    script_safe(&document.to_string())
}

fn complete_posting(node: &mut Map<String, Value>, website: &Website, article: &Article, address: &str) {
    let published_at = article.published_at.unwrap_or(article.created_at);
    let organisation = json!({ "@type": "Organization", "name": website.name, "url": website.url });
    set_missing(
        node,
        [
            ("@id", json!(format!("{address}#_article"))),
            ("url", json!(address)),
            ("mainEntityOfPage", json!({ "@type": "WebPage", "@id": address })),
            ("datePublished", json!(published_at)),
            ("dateModified", json!(article.updated_at.max(published_at))),
            ("author", organisation.clone()),
            ("publisher", organisation),
        ],
    );
    if !article.content.tags.is_empty() {
        set_missing(node, [("articleSection", json!(article.content.tags))]);
    }
    if let Some(image) = &article.content.hero_image
        && let Some(url) = &image.url
    {
        let mut object = json!({ "@type": "ImageObject", "url": url, "caption": image.alt });
        for (name, pixels) in [("width", image.width), ("height", image.height)] {
            if let Some(pixels) = pixels {
                object[name] = json!(pixels);
            }
        }
        set_missing(node, [("image", object)]);
    }
}

/// Adds the given fields unless the node already has them.
fn set_missing<const COUNT: usize>(node: &mut Map<String, Value>, members: [(&str, Value); COUNT]) {
    for (name, value) in members {
        node.entry(name).or_insert(value);
    }
}

/// Escapes JSON so that it cannot end its script element or begin a comment.
fn script_safe(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' => safe.push_str("\\u003c"),
            '>' => safe.push_str("\\u003e"),
            '&' => safe.push_str("\\u0026"),
            '\u{2028}' => safe.push_str("\\u2028"),
            '\u{2029}' => safe.push_str("\\u2029"),
            plain => safe.push(plain),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_a_script_keeps_its_meaning_and_cannot_leave_the_script() {
        let value = json!({ "a": "</script><!-- &amp; \u{2028}" });
        let safe = script_safe(&value.to_string());
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<Value>(&safe).unwrap(), value);
    }
}
