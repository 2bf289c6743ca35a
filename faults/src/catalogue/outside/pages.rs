//! Faults in the pages of articles.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.canonical-of-draft",
        "An article that is not published yet has a canonical_url.",
        &["articles.published.together"],
    )
    .response(|response, request, _| {
        if request.is(Operation::GetArticle) && response.is_success() {
            response.edit(|article| {
                if article["canonical_url"].is_null() {
                    article["canonical_url"] = json!("https://planned.example/soon");
                }
            });
        }
    }),
    fault(
        "outside.page-slash-unknown",
        "The address of a page with a slash at its end is unknown.",
        &["articles.page.slash"],
    )
    .exchange(|exchange| {
        on_page(exchange, |request, response| {
            if request.path.ends_with('/') && (300..400).contains(&response.status) {
                response.status = 404;
                response.remove("location");
            }
        })
        .boxed()
    }),
    fault(
        "outside.page-slash-for-now",
        "The redirect of a page to its address is temporary.",
        &["articles.page.slash"],
    )
    .exchange(|exchange| {
        on_page(exchange, |_, response| {
            if (300..400).contains(&response.status) {
                response.status = 302;
            }
        })
        .boxed()
    }),
    fault("outside.page-unknown-is-json", "An unknown page is a problem in JSON.", &["articles.page.unknown"])
        .exchange(|exchange| {
            on_page(exchange, |_, response| {
                if response.status == 404 {
                    response.set_body("application/problem+json", json!({ "status": 404 }).to_string());
                }
            })
            .boxed()
        }),
    fault("outside.page-unknown-is-found", "An unknown page has status 200.", &["articles.page.unknown"]).exchange(
        |exchange| {
            on_page(exchange, |_, response| {
                if response.status == 404 {
                    response.status = 200;
                }
            })
            .boxed()
        },
    ),
    fault("outside.page-head-refused", "HEAD of a page is refused.", &["articles.page.methods"]).exchange(|exchange| {
        on_page(exchange, |request, response| {
            if request.method == "HEAD" {
                response.status = 405;
            }
        })
        .boxed()
    }),
    fault("outside.page-without-allow", "The refusal of a method by a page has no Allow.", &["articles.page.methods"])
        .exchange(|exchange| on_page(exchange, |_, response| response.remove("allow")).boxed()),
    fault(
        "outside.page-canonical-elsewhere",
        "The canonical link of a page leads to another host.",
        &["articles.page.canonical"],
    )
    .exchange(|exchange| {
        on_page(exchange, |_, response| {
            let html = String::from_utf8_lossy(&response.body).into_owned();
            if let Some((before, after)) = html.split_once("rel=\"canonical\" href=\"") {
                let rest = after.split_once('"').map_or("", |(_, rest)| rest);
                let html = format!("{before}rel=\"canonical\" href=\"https://elsewhere.example/\"{rest}");
                response.set_body("text/html; charset=utf-8", html);
            }
        })
        .boxed()
    }),
    fault(
        "outside.page-date-before-tag",
        "A page compares If-Modified-Since although the request has If-None-Match.",
        &["articles.page.conditional"],
    )
    .exchange(|mut exchange| {
        if exchange.request.path.starts_with(PAGES) && exchange.request.header("if-modified-since").is_some() {
            exchange.request.remove("if-none-match");
        }
        on_page(exchange, |_, _| {}).boxed()
    }),
    fault("outside.page-date-ignored", "A page ignores If-Modified-Since.", &["articles.page.conditional"]).exchange(
        |mut exchange| {
            exchange.request.remove("if-modified-since");
            on_page(exchange, |_, _| {}).boxed()
        },
    ),
];

/// Path prefix of the reference server's pages.
const PAGES: &str = "/sites/";

/// Changes the responses of pages. A client that follows the address of an article comes through the proxy again.
async fn on_page(exchange: Exchange, change: fn(&Request, &mut Response)) -> Response {
    let own = exchange.request.header("host").map(|host| format!("http://{host}"));
    let (server, request) = (exchange.server_origin(), exchange.request.clone());
    let mut response = exchange.forward().await;
    if request.path.starts_with(PAGES) {
        if let Some(own) = &own {
            let text = String::from_utf8_lossy(&response.body).replace(&server, own);
            response.body = text.into();
            response.remove("content-length");
        }
        change(&request, &mut response);
    } else if request.is(Operation::GetArticle) && response.is_success() {
        response.edit(|article| {
            for name in ["url", "canonical_url"] {
                if let (Some(own), Value::String(address)) = (&own, &mut article[name]) {
                    *address = address.replace(&server, own);
                }
            }
        });
    }
    response
}
