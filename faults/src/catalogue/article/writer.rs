//! Faults in the writer's input and in the stored request.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::contract::valid;
use super::super::echo;
use super::super::fault::{Fault, fault};
use super::records::edit_article;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response, remove_member};

/// Topic for an article whose writer gets the topic of another request.
const OTHER_TOPIC: &str = "Quarterly figures of a shipping line";

pub(super) const FAULTS: &[Fault] = &[
    fault("article.keywords-lost", "The writer does not get the keywords.", &["articles.keywords.used"])
        .exchange(|exchange| keywords_lost(exchange).boxed())
        .response(echo::show),
    fault(
        "article.keywords-without-marks",
        "The writer gets the keywords without combining marks, so that decomposed letters lose their accents.",
        &["articles.keywords.used"],
    )
    .exchange(|exchange| keywords_without_marks(exchange).boxed())
    .response(echo::show),
    fault("article.target-lost", "The writer does not get the number of words.", &["voice.length.near-target"])
        .exchange(|exchange| target_lost(exchange).boxed()),
    fault("article.other-topic", "The writer gets the topic of another request.", &["voice.topic.used"])
        .exchange(|exchange| other_topic(exchange).boxed())
        .response(echo::show),
    fault(
        "article.language-german",
        "The default language is German, whatever the website's language is.",
        &["generate.defaults.website"],
    )
    .request(|request, _| default_to(request, "language", json!("de"))),
    fault(
        "article.language-pretended",
        "The text is always English, although language shows the requested tag.",
        &["articles.language.text"],
    )
    .exchange(|exchange| always_english(exchange).boxed())
    .response(echo::show),
    fault(
        "article.metadata-lost",
        "The server does not pass the metadata on to the article.",
        &["articles.echo.what-was-sent"],
    )
    .response(|response, request, _| edit_article(response, request, |article| article["metadata"] = json!({}))),
];

async fn keywords_lost(exchange: Exchange) -> Response {
    echo::generate_as(&exchange, &["keywords"], |order| {
        if valid::keywords(order).is_some() {
            remove_member(order, "keywords");
        }
    })
    .await
}

async fn keywords_without_marks(exchange: Exchange) -> Response {
    echo::generate_as(&exchange, &["keywords"], |order| {
        if let Some(keywords) = valid::keywords(order).cloned() {
            let is_mark = |letter: char| matches!(letter, '\u{300}'..='\u{36f}');
            let stripped = |word: &Value| word.as_str().unwrap_or_default().replace(is_mark, "");
            order["keywords"] = keywords.iter().map(stripped).collect();
        }
    })
    .await
}

async fn target_lost(exchange: Exchange) -> Response {
    echo::generate_as(&exchange, &[], |order| {
        if valid::target_word_count(order).is_some() {
            remove_member(order, "target_word_count");
        }
    })
    .await
}

async fn other_topic(exchange: Exchange) -> Response {
    echo::generate_as(&exchange, &["topic"], |order| {
        if valid::topic(order).is_some() {
            order["topic"] = json!(OTHER_TOPIC);
        }
    })
    .await
}

async fn always_english(exchange: Exchange) -> Response {
    echo::generate_as(&exchange, &["language"], |order| {
        if valid::language(order).is_some_and(|language| !language.to_lowercase().starts_with("en")) {
            order["language"] = json!("en");
        }
    })
    .await
}

fn default_to(request: &mut Request, name: &str, value: Value) {
    if request.is(Operation::Generate) {
        request.edit(|order| {
            if let Some(members) = order.as_object_mut() {
                members.entry(name).or_insert(value);
            }
        });
    }
}
