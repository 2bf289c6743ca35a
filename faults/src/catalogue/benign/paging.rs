//! Pages with other tokens, ends and links, and empty pages in the middle.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::body;
use super::pages::{ask_for_fewer, is_list, other_tokens, restore_limit, token_of_server};
use crate::edge::Exchange;
use crate::message::{Request, Response};

/// Prefix of odd tokens: letters and marks that an address must encode.
const ODD: &str = "\u{e9} \u{4f60}%2F&#'<>?+=;\\ \"";
/// Prefix of the token of an empty page.
const GAP: &str = "gap.";

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.long-tokens",
        "Page tokens have 600 characters more: the document calls them opaque.",
        Profile::Full,
    )
    .request(|request, _| token_of_server(request, &long()))
    .response(|response, request, _| other_tokens(response, request, &long())),
    variant(
        "benign.odd-tokens",
        "Page tokens contain spaces, other scripts and marks that must be encoded: the document calls them opaque.",
        Profile::Full,
    )
    .request(|request, _| token_of_server(request, ODD))
    .response(|response, request, _| other_tokens(response, request, ODD)),
    variant(
        "benign.gap-pages",
        "An empty page with next_page follows each page: \"A page may be short or empty although `next_page` is set.\"",
        Profile::Full,
    )
    .exchange(|exchange| gap_pages(exchange).boxed()),
    variant(
        "benign.ten-row-pages",
        "Pages have at most ten rows: \"A page may be short or empty although `next_page` is set.\"",
        Profile::Full,
    )
    .request(|request, _| ask_for_fewer(request, |limit| limit.min(10)))
    .response(|response, request, _| restore_limit(response, request)),
    variant(
        "benign.last-page-other-way",
        "next_page of the last page is absent where it was null, and null where it was absent: both mean the same.",
        Profile::Full,
    )
    .response(|response, request, _| {
        if is_list(request) && response.is_success() {
            body::edit(response, end_otherwise);
        }
    }),
    variant(
        "benign.link-rich",
        "Link has another address before the next one, more relations and parameters: RFC 8288 3 allows each.",
        Profile::Full,
    )
    .response(|response, request, _| {
        let help = "<https://docs.example/a,b;c>; title=\"see \\\"b\\\", c; rel=next\"; rel=\"help license\"";
        let rest = "rel=\"NEXT https://rel.example/more\"; title*=UTF-8''n%C3%A4chste; type=\"application/json\"";
        rewrite_link(response, request, |target| format!("{help}, {target} ; {rest}"));
    }),
    variant(
        "benign.link-first",
        "Every page has a second Link line with rel=\"first\": RFC 8288 3 allows several relations and lines.",
        Profile::Full,
    )
    .response(|response, request, _| {
        if is_list(request) && response.is_success() {
            let mut first = request.clone();
            first.remove_parameter("page_token");
            let query = first.query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
            response.append("link", &format!("<{}{query}>; rel=\"first\"", first.public_path()));
        }
    }),
    variant(
        "benign.link-bare",
        "Link has rel=next without quotes and spaces: RFC 8288 3 allows a token.",
        Profile::Full,
    )
    .response(|response, request, _| rewrite_link(response, request, |target| format!("{target};rel=next"))),
];

/// Prefix of long tokens.
fn long() -> String {
    "0123456789-ABCD".repeat(40)
}

async fn gap_pages(exchange: Exchange) -> Response {
    if !is_list(&exchange.request) {
        return exchange.forward().await;
    }
    let mut request = exchange.request.clone();
    let behind = request.parameter("page_token").and_then(|token| token.strip_prefix(GAP).map(ToOwned::to_owned));
    if let Some(token) = &behind {
        request.set_parameter("page_token", token);
    }
    let mut response = exchange.send(request).await;
    if !response.is_success() {
        return response;
    }
    if let Some(token) = behind {
        // The server checks the token together with everything else, and returns the rows.
        body::edit(&mut response, |page| (page["items"], page["next_page"]) = (json!([]), json!(token)));
        let mut next = exchange.request.clone();
        next.set_parameter("page_token", &token);
        response.set_next_link(&next);
    } else {
        other_tokens(&mut response, &exchange.request, GAP);
    }
    response
}

fn end_otherwise(page: &mut Value) {
    let Some(fields) = page.as_object_mut() else { return };
    match fields.get("next_page") {
        Some(Value::Null) => {
            fields.remove("next_page");
        }
        None => {
            fields.insert("next_page".to_owned(), Value::Null);
        }
        Some(_) => {}
    }
}

/// Rewrites the link to the next page, from its address between angle brackets.
fn rewrite_link(response: &mut Response, request: &Request, write: impl FnOnce(&str) -> String) {
    if is_list(request) && response.is_success() {
        response.change("link", |link| write(link.split_inclusive('>').next().unwrap_or_default()));
    }
}
