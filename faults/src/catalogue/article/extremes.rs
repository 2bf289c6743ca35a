//! Faults for extreme requests: long or short topics, other scripts, characters special to HTML or Markdown, long
//! keywords, many words.

use bytes::Bytes;
use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::contract::valid;
use super::super::echo;
use super::super::fault::{Fault, fault};
use super::records::{edit_article, edit_text};
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// Length in characters from which a topic, a text or a keyword is long.
const LONG_TOPIC: usize = 110;
const COLUMN: usize = 255;
const LONG_KEYWORD: usize = 50;

const WHOLE: &[&str] = &["articles.extremes.whole"];
const LENGTH: &[&str] = &["voice.length.edges"];

pub(super) const FAULTS: &[Fault] = &[
    fault("article.title-of-long-topic", "A long topic becomes the title without being shortened.", WHOLE).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                if let Some(topic) = long_topic(article) {
                    article["title"] = json!(topic);
                }
            });
        },
    ),
    fault("article.alt-of-long-topic", "The alternative text of the picture repeats a long topic.", WHOLE).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                if let Some(topic) = long_topic(article).filter(|_| article["hero_image"].is_object()) {
                    article["hero_image"]["alt"] = json!(topic);
                }
            });
        },
    ),
    fault("article.slug-empty", "A topic without ASCII letters has an empty slug.", WHOLE).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                if !topic_of(article).contains(|letter: char| letter.is_ascii_alphanumeric()) {
                    article["slug"] = json!("");
                }
            });
        },
    ),
    fault("article.slug-cut", "A shortened slug ends with a hyphen.", WHOLE).response(|response, request, _| {
        edit_article(response, request, |article| {
            if long_topic(article).is_some() {
                edit_text(article, "slug", |slug| format!("{}-", slug.chars().take(70).collect::<String>()));
            }
        });
    }),
    fault("article.description-of-short-topic", "The meta description of a short topic is too short.", WHOLE).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                let topic = topic_of(article).trim().to_owned();
                if topic.chars().count() < 10 {
                    article["meta_description"] = json!(format!("All about {topic}."));
                }
            });
        },
    ),
    fault("article.excerpt-in-bytes", "The excerpt is cut in the middle of a character.", WHOLE)
        .response(break_excerpt),
    fault("article.topic-255", "The server stores only 255 characters of a topic.", WHOLE).response(
        |response, request, _| edit_article(response, request, |article| edit_text(article, "topic", column)),
    ),
    fault("article.metadata-255", "The server stores only 255 characters of each metadata value.", WHOLE).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                for value in article.get_mut("metadata").and_then(Value::as_object_mut).into_iter().flatten() {
                    if let Some(text) = value.1.as_str().map(column) {
                        *value.1 = json!(text);
                    }
                }
            });
        },
    ),
    fault("article.words-of-ascii", "word_count ignores words without ASCII letters.", WHOLE)
        .response(|response, request, _| edit_article(response, request, count_ascii)),
    fault("article.topic-as-markdown", "The server does not escape the topic in Markdown.", WHOLE).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                let topic = topic_of(article).to_owned();
                if topic.starts_with(['#', '<']) {
                    edit_text(article, "content_markdown", |markdown| format!("{topic}\n\n{markdown}"));
                }
            });
        },
    ),
    fault("article.keyword-50", "The writer gets only 50 characters of each keyword.", &["articles.keywords.longest"])
        .exchange(|exchange| keyword_50(exchange).boxed())
        .response(echo::show),
    fault("article.words-4000", "The server limits articles to 4000 words.", LENGTH).request(|request, _| {
        change_target(request, |words| (words > 4_000).then_some(4_000));
    }),
    fault("article.words-5000-default", "A request for 5000 words gets the default number of words.", LENGTH)
        .request(|request, _| change_target(request, |words| (words == 5_000).then_some(1_200))),
];

fn topic_of(article: &Value) -> &str {
    article["topic"].as_str().unwrap_or_default()
}

/// Returns the topic of an article if it is longer than a title may be.
fn long_topic(article: &Value) -> Option<String> {
    let topic = topic_of(article).trim();
    (topic.chars().count() > LONG_TOPIC).then(|| topic.to_owned())
}

fn column(text: &str) -> String {
    text.chars().take(COLUMN).collect()
}

/// Appends the first byte of a multi-byte character to the excerpt, if it has such characters.
fn break_excerpt(response: &mut Response, request: &Request, _: &Memory) {
    if !request.is(Operation::GetArticle) || !response.is_success() {
        return;
    }
    let Some(excerpt) = response.text("/excerpt").filter(|excerpt| !excerpt.is_ascii()) else { return };
    let written = json!(excerpt).to_string();
    let written = written.trim_end_matches('"').as_bytes();
    if let Some(at) = response.body.windows(written.len()).position(|window| window == written) {
        let end = at + written.len();
        response.body = Bytes::from([&response.body[..end], b"\xe2", &response.body[end..]].concat());
    }
}

fn count_ascii(article: &mut Value) {
    let html = article["content_html"].as_str().unwrap_or_default();
    let mut is_tag = false;
    let text: String = html
        .chars()
        .map(|letter| {
            let was_tag = is_tag;
            is_tag = if was_tag { letter != '>' } else { letter == '<' };
            if was_tag || is_tag { ' ' } else { letter }
        })
        .collect();
    let words = |counts: fn(&str) -> bool| u64::try_from(text.split_whitespace().filter(|word| counts(word)).count());
    let has_ascii = |word: &str| word.bytes().any(|byte| byte.is_ascii_alphanumeric());
    if let (Ok(all), Ok(some), Some(told)) = (words(|_| true), words(has_ascii), article["word_count"].as_u64()) {
        let words = told.saturating_sub(all - some);
        article["word_count"] = json!(words);
        article["reading_time_minutes"] = json!(words.div_ceil(275).max(1));
    }
}

async fn keyword_50(exchange: Exchange) -> Response {
    echo::generate_as(&exchange, &["keywords"], |order| {
        if let Some(keywords) = valid::keywords(order).cloned() {
            let cut = |word: &Value| word.as_str().unwrap_or_default().chars().take(LONG_KEYWORD).collect::<String>();
            order["keywords"] = keywords.iter().map(cut).collect();
        }
    })
    .await
}

fn change_target(request: &mut Request, change: impl FnOnce(u64) -> Option<u64>) {
    if request.is(Operation::Generate) {
        request.edit(|order| {
            if let Some(words) = valid::target_word_count(order).and_then(change) {
                order["target_word_count"] = json!(words);
            }
        });
    }
}
