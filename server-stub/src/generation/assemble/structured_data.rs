//! Builds the article's schema.org data. Addresses and dates are not included: the store adds them.

use serde_json::{Value, json};

use crate::domain::written_article::FaqEntry;
use crate::generation::generator::ArticleBrief;

/// Parts of an article that its structured data contains.
pub(super) struct Summary<'a> {
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    pub(super) keywords: &'a [String],
    pub(super) word_count: u32,
    pub(super) faq: &'a [FaqEntry],
}

/// Returns `{"@context", "@graph": [BlogPosting, FAQPage?]}`.
pub(super) fn json_ld(brief: &ArticleBrief, summary: &Summary<'_>) -> Value {
    let mut graph = vec![json!({
        "@type": "BlogPosting",
        "headline": summary.title,
        "description": summary.description,
        "inLanguage": brief.language,
        "keywords": summary.keywords,
        "wordCount": summary.word_count,
        "publisher": { "@type": "Organization", "name": brief.website.name, "url": brief.website.url },
    })];
    if !summary.faq.is_empty() {
        let questions: Vec<Value> = summary
            .faq
            .iter()
            .map(|entry| {
                json!({ "@type": "Question", "name": entry.question,
                        "acceptedAnswer": { "@type": "Answer", "text": entry.answer } })
            })
            .collect();
        graph.push(json!({ "@type": "FAQPage", "inLanguage": brief.language, "mainEntity": questions }));
    }
    json!({ "@context": "https://schema.org", "@graph": graph })
}
