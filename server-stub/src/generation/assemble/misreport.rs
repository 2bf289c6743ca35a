//! Slips in what an article says of itself. Without the feature `faults` all of it is off.

use serde_json::Value;

use super::markdown;
use crate::domain::article::{InternalLink, WrittenArticle};
use crate::domain::fault::table::article as slip;
use crate::generation::generator::Order;

/// The article as a careless server derives it.
pub(super) fn misreported(order: &Order, article: WrittenArticle) -> WrittenArticle {
    let article = miscounted(article);
    let article = misrendered(order, article);
    mischecked(article)
}

fn miscounted(mut article: WrittenArticle) -> WrittenArticle {
    if slip::WORDS_WITH_FAQ.is_on() {
        let more = article.faq.iter().flat_map(|entry| [entry.question.as_str(), entry.answer.as_str()]);
        let more = more.chain([article.title.as_str()]).map(|text| text.split_whitespace().count()).sum::<usize>();
        article.word_count += u32::try_from(more).unwrap_or(u32::MAX);
    }
    if slip::TIME_ROUNDED_DOWN.is_on() {
        article.reading_time_minutes = (article.word_count / 275).max(1);
    }
    if slip::TIME_AT_200.is_on() {
        article.reading_time_minutes = article.word_count.div_ceil(200).max(1);
    }
    if slip::DESCRIPTION_40.is_on() {
        article.meta_description = markdown::clip(&article.meta_description, 40);
    }
    article
}

fn misrendered(order: &Order, mut article: WrittenArticle) -> WrittenArticle {
    if slip::TITLE_TAGGED.is_on() {
        article.title = format!("<strong>{}</strong>", article.title);
    }
    if slip::TOPIC_UNESCAPED.is_on() {
        article.content_html = format!("<p>{}</p>{}", order.topic, article.content_html);
    }
    if slip::TOPIC_ESCAPED.is_on() {
        article.topic = article.topic.replace('&', "&amp;").replace('<', "&lt;");
    }
    if slip::TOPIC_COMPUTED.is_on() && order.topic.contains("{{7*7}}") {
        article.title = format!("49 {}", article.title);
    }
    if slip::UNSANITISED.is_on() {
        article.content_html = article.content_html.replacen("<p>", "<p onclick=\"track()\">", 1);
    }
    if slip::OUTLINE_SHORT.is_on() {
        article.outline.pop();
    }
    for (number, entry) in article.outline.iter_mut().enumerate() {
        if slip::ANCHORS_TWICE.is_on() {
            entry.anchor = format!("section-{}", number % 2 + 1);
        }
        if slip::ANCHORS_OTHER.is_on() {
            entry.anchor = format!("h-{}", entry.anchor);
        }
    }
    if slip::HEADINGS_WITHOUT_IDS.is_on() {
        for entry in &article.outline {
            article.content_html = article.content_html.replace(&format!(" id=\"{}\"", entry.anchor), "");
        }
    }
    if slip::MARKDOWN_DEEPER.is_on() {
        article.content_markdown = article.content_markdown.replace("## ", "### ");
    }
    if slip::LINKS_TO_COME.is_on() {
        let url = format!("{}/coming-soon", order.website.url.trim_end_matches('/'));
        article.internal_links.push(InternalLink { url, anchor_text: "Coming soon".to_owned() });
    }
    if slip::LINKS_UNNAMED.is_on() {
        let url = format!("{}/unnamed", order.website.url.trim_end_matches('/'));
        article.internal_links.push(InternalLink { url, anchor_text: String::new() });
    }
    if slip::WITH_H1.is_on() {
        article.content_markdown = format!("# {}\n\n{}", article.title, article.content_markdown);
    }
    article
}

fn mischecked(mut article: WrittenArticle) -> WrittenArticle {
    if slip::NO_FAQ_PAGE.is_on()
        && let Some(Value::Array(graph)) = article.json_ld.get_mut("@graph")
    {
        graph.retain(|node: &Value| node["@type"] != "FAQPage");
    }
    let topic = article.topic.clone();
    if let Some(Value::Array(graph)) = article.json_ld.get_mut("@graph") {
        if slip::FAQ_PAGE_FIRST.is_on() {
            graph.reverse();
        }
        for node in graph {
            if slip::HEADLINE_TOPIC.is_on() && node["@type"] == "BlogPosting" {
                node["headline"] = topic.as_str().into();
            }
            if let (true, Some(questions)) = (slip::FAQ_PAGE_SHORT.is_on(), node["mainEntity"].as_array_mut()) {
                questions.pop();
            }
        }
    }
    for entry in &mut article.faq {
        if slip::FAQ_WITHOUT_MARK.is_on() {
            entry.question = entry.question.trim_end_matches('?').to_owned();
        }
    }
    if slip::REPORT_ALWAYS_FAILED.is_on() {
        article.voice.passed = false;
    }
    if slip::REPORT_RULE_TWICE.is_on() {
        article.voice.checks.extend(article.voice.checks.first().cloned());
    }
    article
}
