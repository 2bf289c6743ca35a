//! Pages of other sizes, and page tokens in another form.

use futures::future::FutureExt;
use http::Method;
use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::super::paging::pages::all_rows;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Default number of items on a page.
const DEFAULT_LIMIT: u32 = 20;
/// Prefix of each token.
const BEGIN: &str = "+/=";

pub(super) const FAULTS: &[Fault] = &[
    variant("benign.short-pages", "Pages hold fewer rows than they may.", Profile::Full)
        .request(|request, _| ask_for_fewer(request, |limit| limit.div_ceil(2)))
        .response(|response, request, _| restore_limit(response, request)),
    variant("benign.empty-pages", "The last page is an empty one after the last row.", Profile::Full)
        .exchange(|exchange| empty_pages(exchange).boxed()),
    variant("benign.other-tokens", "Page tokens contain plus signs, slashes and equals signs.", Profile::Full)
        .request(|request, _| token_of_server(request, BEGIN))
        .response(|response, request, _| other_tokens(response, request, BEGIN)),
];

pub(super) fn is_list(request: &Request) -> bool {
    request.operation().is_some_and(Operation::is_list)
}

/// Requests a smaller page, unless the server must refuse the limit.
pub(super) fn ask_for_fewer(request: &mut Request, fewer: fn(u32) -> u32) {
    let given: Vec<String> =
        request.parameters().into_iter().filter(|(name, _)| name == "limit").map(|(_, value)| value).collect();
    let limit = match &given[..] {
        [] => Some(DEFAULT_LIMIT),
        [one] if one.bytes().all(|byte| byte.is_ascii_digit()) => one.parse().ok(),
        _ => None,
    };
    if let Some(limit) = limit.filter(|limit| is_list(request) && (1..=100).contains(limit)) {
        request.set_parameter("limit", &fewer(limit).to_string());
    }
}

/// Writes the limit of the caller into `Link`.
pub(super) fn restore_limit(response: &mut Response, request: &Request) {
    response.change("link", |link| {
        edit_target(link, |next| match request.parameter("limit") {
            Some(limit) => next.set_parameter("limit", &limit),
            None => next.remove_parameter("limit"),
        })
    });
}

/// Changes the address in a `Link`.
fn edit_target(link: &str, edit: impl FnOnce(&mut Request)) -> String {
    let Some((begin, (target, end))) =
        link.split_once('<').and_then(|(begin, rest)| Some((begin, rest.split_once('>')?)))
    else {
        return link.to_owned();
    };
    let mut next = Request::get(target);
    edit(&mut next);
    let query = next.query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{begin}<{}{query}>{end}", next.path)
}

/// Sends the server its own token instead of one that begins with `begin`.
pub(super) fn token_of_server(request: &mut Request, begin: &str) {
    if let Some(token) = request.parameter("page_token").filter(|_| is_list(request)) {
        // A token in the server's form is unknown here.
        let known = token.strip_prefix(begin).map_or_else(|| format!("x{token}"), ToOwned::to_owned);
        request.set_parameter("page_token", &known);
    }
}

/// Returns tokens that begin with `begin`.
pub(super) fn other_tokens(response: &mut Response, request: &Request, begin: &str) {
    if !is_list(request) || !response.is_success() {
        return;
    }
    response.remove("content-length");
    response.edit(|page| {
        if let Some(Value::String(token)) = page.get_mut("next_page") {
            token.insert_str(0, begin);
        }
    });
    response.change("link", |link| {
        edit_target(link, |next| {
            if let Some(token) = next.parameter("page_token") {
                next.set_parameter("page_token", &format!("{begin}{token}"));
            }
        })
    });
}

async fn empty_pages(exchange: Exchange) -> Response {
    if !is_list(&exchange.request) {
        return exchange.forward().await;
    }
    // A response to HEAD depends on the rows too.
    let request = Request { method: Method::GET, ..exchange.request.clone() };
    let token = request.parameter("page_token");
    if let Some(last) = token.and_then(|token| exchange.memory.get(&token)) {
        return behind_the_last(&exchange, request, &last).await;
    }
    let mut response = exchange.send(request.clone()).await;
    let Some(page) = response.json().filter(|_| response.is_success()) else { return response };
    let is_last = page.get("next_page").is_none_or(Value::is_null);
    let row = page.get("items").and_then(Value::as_array).and_then(|rows| rows.last());
    if let Some(row) = row.filter(|_| is_last) {
        let token = format!("behind-{}", exchange.memory.next_number("tokens"));
        let last = json!({
            "path": request.path,
            "filters": filters(&request),
            "page_token": request.parameter("page_token"),
            "key": request.key(),
            "row": row,
        });
        exchange.memory.put(&token, last);
        let mut next = request;
        next.set_parameter("page_token", &token);
        response.edit(|page| page["next_page"] = json!(token));
        response.set_next_link(&next);
        response.remove("content-length");
    }
    response
}

fn filters(request: &Request) -> Vec<(String, String)> {
    request.parameters().into_iter().filter(|(name, _)| name != "limit" && name != "page_token").collect()
}

/// Returns the empty page after the last row, if the server would have returned that page.
async fn behind_the_last(exchange: &Exchange, request: Request, last: &Value) -> Response {
    let mut same = request.clone();
    if let Some(token) = last["page_token"].as_str() {
        // The server checks list, account and filters with the token of the previous page.
        same.set_parameter("page_token", token);
    } else {
        same.remove_parameter("page_token");
        let of_token: Vec<(String, String)> = serde_json::from_value(last["filters"].clone()).unwrap_or_default();
        let is_same = filters(&same).iter().all(|filter| of_token.contains(filter)) && last["path"] == request.path;
        if !is_same || !shows(exchange, &request, &of_token, last).await {
            // The server refuses the unknown token.
            return exchange.send(request).await;
        }
        for (name, value) in of_token {
            same.set_parameter(&name, &value);
        }
    }
    let mut response = exchange.send(same).await;
    if response.is_success() {
        response.edit(|page| (page["items"], page["next_page"]) = (json!([]), Value::Null));
        response.remove("link");
        response.remove("content-length");
    }
    response
}

/// Returns true if the account may see the last row.
async fn shows(exchange: &Exchange, request: &Request, filters: &[(String, String)], last: &Value) -> bool {
    if last["key"].as_str() == request.key() {
        return true;
    }
    let Some(key) = request.key() else { return false };
    let id = |row: &Value| row.get("id").or_else(|| row.get("website_id")).cloned();
    let rows = all_rows(exchange, &request.path, key, filters).await.unwrap_or_default();
    rows.iter().any(|row| id(row) == id(&last["row"]))
}
