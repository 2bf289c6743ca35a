//! Faults in the content of an article.

use chrono::{Duration, SecondsFormat, Timelike};
use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::contract::valid;
use super::super::echo;
use super::super::fault::{Fault, fault};
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, edit_objects, edit_times, parse_time, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.sixteenth-lost",
        "The server stores at most fifteen metadata fields of an article.",
        &["articles.metadata.every-member"],
    )
    .response(|response, request, _| {
        if request.is(Operation::GetArticle) && response.is_success() {
            response.edit(lose_sixteenth);
        }
    }),
    fault(
        "outside.metadata-of-first",
        "A second article on a topic gets the first article's metadata.",
        &["articles.metadata.own"],
    )
    .response(metadata_of_first),
    fault("outside.long-orders-cut", "The server limits articles to 2000 words.", &["voice.length.edges"]).request(
        |request, _| {
            if request.is(Operation::Generate) {
                request.edit(|order| {
                    if valid::target_word_count(order).is_some_and(|words| words > 2000) {
                        order["target_word_count"] = json!(2000);
                    }
                });
            }
        },
    ),
    fault("outside.tenth-lost", "The server ignores the tenth keyword.", &["articles.keywords.used"])
        .exchange(|exchange| tenth_lost(exchange).boxed())
        .response(echo::show),
    fault(
        "outside.whole-seconds-short",
        "The server omits the fraction of times in whole seconds.",
        &["answers.times.utc"],
    )
    .response(|response, _, _| write_whole_seconds(response)),
    fault(
        "outside.address-of-first",
        "A second article with the same title gets the first article's address.",
        &["articles.published.together"],
    )
    .exchange(|exchange| address_of_first(exchange).boxed()),
];

fn lose_sixteenth(article: &mut Value) {
    if let Some(metadata) = article["metadata"].as_object_mut()
        && let Some(name) = metadata.keys().nth(15).cloned()
    {
        metadata.remove(&name);
    }
}

/// The first article is the one that was queued first.
fn metadata_of_first(response: &mut Response, request: &Request, memory: &Memory) {
    if !response.is_success() {
        return;
    }
    let slot = |record: &Value| json!([record["website_id"], record["topic"]]).to_string();
    match request.operation() {
        Some(Operation::Generate) => {
            if let Some(job) = response.json() {
                memory.get_or_put(&slot(&job), job["metadata"].clone());
            }
        }
        Some(Operation::GetArticle) => response.edit(|article| {
            if let Some(metadata) = memory.get(&slot(article)) {
                article["metadata"] = metadata;
            }
        }),
        _ => {}
    }
}

async fn tenth_lost(exchange: Exchange) -> Response {
    echo::generate_as(&exchange, &["keywords"], |order| {
        if valid::keywords(order).is_some_and(|keywords| keywords.len() == 10) {
            order["keywords"].as_array_mut().map(Vec::pop);
        }
    })
    .await
}

/// Times rarely fall on a whole second. A deadline is free, so round it up to one.
fn write_whole_seconds(response: &mut Response) {
    if !response.is_success() {
        return;
    }
    response.edit(|body| {
        edit_objects(body, &mut |members| {
            let deadline = members.get("deadline_at").and_then(Value::as_str).and_then(parse_time);
            if let Some(rounded) = deadline.and_then(|time| (time + Duration::milliseconds(999)).with_nanosecond(0)) {
                members.insert("deadline_at".to_owned(), json!(write_time(rounded)));
            }
        });
        edit_times(body, &|time| {
            let is_whole = time.timestamp_subsec_millis() == 0;
            json!(if is_whole { time.to_rfc3339_opts(SecondsFormat::Secs, true) } else { write_time(time) })
        });
    });
}

/// The first article is the one that was read first: a page begins with the newest. Titles are the writer's, so compare
/// the requested topics. The slug or the id in an address identifies the article. A client that follows the address
/// comes through the proxy again.
async fn address_of_first(exchange: Exchange) -> Response {
    let mut response = exchange.forward().await;
    if !response.is_success() {
        return response;
    }
    let is_page = exchange.request.is(Operation::ListArticles);
    let own = exchange.request.header("host").map(|host| format!("http://{host}"));
    let change = |article: &mut Value| {
        let id = article["id"].as_str().unwrap_or_default();
        let topic = format!("topic of {id}");
        if let Some(told) = article["topic"].as_str() {
            exchange.memory.put(&topic, told);
        }
        let Some(topic) = exchange.memory.get(&topic) else { return };
        let name = json!([article["website_id"], topic]).to_string();
        let told = json!({ "id": id, "slug": article["slug"] });
        let first = if is_page { exchange.memory.get(&name) } else { Some(exchange.memory.get_or_put(&name, told)) };
        let Some(first) = first.filter(|first| first["id"] != article["id"]) else { return };
        let own_parts = ["slug", "id"].map(|part| article[part].as_str().unwrap_or_default().to_owned());
        let first_parts = ["slug", "id"].map(|part| first[part].as_str().unwrap_or_default());
        for member in ["url", "canonical_url"] {
            let Some(mut address) = article[member].as_str().map(ToOwned::to_owned) else { continue };
            for (own_part, first_part) in own_parts.iter().zip(first_parts).filter(|(part, _)| !part.is_empty()) {
                address = address.replace(own_part, first_part);
            }
            article[member] = json!(match &own {
                Some(own) => address.replace(&exchange.server_origin(), own),
                None => address,
            });
        }
    };
    match exchange.request.operation() {
        Some(Operation::GetArticle) => response.edit(change),
        Some(Operation::ListArticles) => response.edit_rows(change),
        _ => {}
    }
    response
}
