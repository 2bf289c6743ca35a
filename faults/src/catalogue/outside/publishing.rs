//! Faults in articles before their publication, and in their addresses.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::hooks::payload_article::{read_text, with_text};
use crate::edge::Exchange;
use crate::message::{Operation, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.address-is-home",
        "The url of every published article is the website's home page.",
        &["articles.published.together"],
    )
    .exchange(|exchange| address_is_home(exchange).boxed()),
    fault("outside.scheduled-has-address", "A scheduled article already has a url.", &["articles.published.together"])
        .response(|response, request, _| {
            if request.is(Operation::GetArticle) && response.is_success() {
                response.edit(|article| {
                    if article["status"] == "scheduled" {
                        article["url"] =
                            json!(format!("https://planned.example/{}", article["slug"].as_str().unwrap_or_default()));
                    }
                });
            }
        }),
    fault("outside.not-ready-once", "Only the first article_not_ready has Retry-After.", &["articles.not-ready.retry"])
        .response(|response, request, memory| {
            let is_refused = response.code().as_deref() == Some("article_not_ready");
            if let Some(id) = request.id().filter(|_| is_refused)
                && !memory.is_first(&id)
            {
                response.remove("retry-after");
            }
        }),
    fault("outside.hook-has-body", "Payloads contain the article's text as their body.", &["hooks.payload.small"])
        .exchange(|exchange| read_text(exchange).boxed())
        .delivery(|delivery| with_text(delivery, &[("content_markdown", "body")]).boxed()),
];

/// A client that follows the address comes through the proxy again.
async fn address_is_home(exchange: Exchange) -> Response {
    let mut response = exchange.forward().await;
    if !exchange.request.is(Operation::GetArticle) || !response.is_success() {
        return response;
    }
    let own = exchange.request.header("host").map(|host| format!("http://{host}"));
    let server = exchange.server_origin();
    response.edit(|article| {
        let home = article["url"].as_str().and_then(|url| url.rsplit_once('/')).map(|(home, _)| home.to_owned());
        if let Some(home) = home {
            let home = own.as_ref().map_or_else(|| home.clone(), |own| home.replace(&server, own));
            article["url"] = json!(home);
        }
    });
    response
}
