//! Faults in payloads about an article.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::sender;
use crate::edge::Exchange;
use crate::hooks::{Delivery, Endpoint};
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// Time for which a delivery waits for the text of its article, and its polling interval.
const TEXT_WITHIN: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(50);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "hooks.article-before",
        "The payload shows the article before its publication.",
        &["hooks.article.same-as-read"],
    )
    .hook(|hook, _, _| {
        edit_article(hook, |article| {
            article["status"] = json!("scheduled");
            (article["url"], article["published_at"]) = (Value::Null, Value::Null);
        });
    }),
    fault("hooks.slug-anew", "The server derives the payload's slug from the title.", &["hooks.article.same-as-read"])
        .hook(|hook, _, _| {
            edit_article(hook, |article| {
                // The slug differs if another article of the website already had it.
                article["slug"] = json!(format!("{}-1", article["slug"].as_str().unwrap_or_default()));
            });
        }),
    fault("hooks.post-is-job", "scheduled_post_id of the payload is the job's id.", &["hooks.article.names-origin"])
        .hook(post_is_job),
    fault("hooks.metadata-lost", "The payload of an article omits its metadata.", &["hooks.article.metadata"]).hook(
        |hook, _, _| {
            if sender::is_of(hook, "article.published") {
                hook.edit(|event| event["data"]["metadata"] = json!({}));
            }
        },
    ),
    fault("hooks.article-fat", "Payloads about articles are padded to more than 20 kB.", &["hooks.article.thin"]).hook(
        |hook, _, _| {
            if sender::is_of(hook, "article.published") {
                hook.edit(|event| event["padding"] = json!(" ".repeat(21 * 1024)));
            }
        },
    ),
    fault("hooks.article-retyped", "After the first article, api_version is a number.", &["hooks.article.one-shape"])
        .hook(|hook, _, memory| {
            let id = sender::event_id(hook);
            if sender::is_of(hook, "article.published") && memory.get_or_put("first", id.clone()) != json!(id) {
                hook.edit(|event| event["api_version"] = json!(1));
            }
        }),
];

fn edit_article(hook: &mut Request, edit: impl FnOnce(&mut Value)) {
    hook.edit(|event| {
        if let Some(article) = event.pointer_mut("/data/article").filter(|article| article.is_object()) {
            edit(article);
        }
    });
}

fn post_is_job(hook: &mut Request, _: &Endpoint, memory: &Memory) {
    hook.edit(|event| {
        let data = &mut event["data"];
        let told = [&data["job_id"], &data["article"]["job_id"]].into_iter().find(|id| id.is_string()).cloned();
        let paired = || memory.world.other_of_pair(data["article"]["id"].as_str()?).map(Value::from);
        if let Some(job_id) = told.or_else(paired) {
            data["scheduled_post_id"] = job_id;
        }
    });
}

/// Reads each article as soon as its job is done, so that its text is known when the webhook arrives.
pub(in crate::catalogue) async fn read_text(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let article_id = response.text("/article_id").filter(|_| exchange.request.is(Operation::GetJob));
    if let (Some(id), Some(key)) = (article_id, exchange.request.key())
        && exchange.memory.is_first(&id)
    {
        exchange.send(Request::get(&format!("/api/v1/articles/{id}")).with_key(key)).await;
    }
    response
}

/// Copies fields of the article into the payload, each under another name.
pub(in crate::catalogue) async fn with_text(delivery: Delivery, members: &[(&str, &str)]) -> Response {
    let event = delivery.event().filter(|event| event["type"] == "article.published");
    let Some(mut event) = event else { return delivery.forward().await };
    let id = event["data"]["article"]["id"].as_str().unwrap_or_default().to_owned();
    let deadline = tokio::time::Instant::now() + TEXT_WITHIN;
    while tokio::time::Instant::now() < deadline {
        if let Some(article) = delivery.memory.world.record(Operation::GetArticle, &id) {
            for (member, told_as) in members {
                event["data"][*told_as] = article[*member].clone();
            }
            let mut hook = delivery.request.clone();
            hook.body = event.to_string().into();
            return delivery.send(hook).await;
        }
        tokio::time::sleep(LOOK).await;
    }
    delivery.forward().await
}
