//! Pages of other sizes, and page tokens in another form.

use futures::future::FutureExt;
use http::Method;
use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::super::paging::pages::all_rows;
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// The items of a page where the request does not say.
const DEFAULT_LIMIT: u32 = 20;
/// What each token begins with.
const BEGIN: &str = "+/=";

pub(super) const FAULTS: &[Fault] = &[
    variant("benign.short-pages", "Pages hold fewer rows than they may.", Profile::Full)
        .request(|request, _| ask_for_half(request))
        .response(|response, request, _| {
            response.change("link", |link| {
                edit_target(link, |next| match request.parameter("limit") {
                    Some(limit) => next.set_parameter("limit", &limit),
                    None => next.remove_parameter("limit"),
                })
            });
        }),
    variant("benign.empty-pages", "The last page is an empty one behind the last row.", Profile::Full)
        .exchange(|exchange| empty_pages(exchange).boxed()),
    variant("benign.other-tokens", "Page tokens hold plus signs, slashes and equals signs.", Profile::Full)
        .request(|request, _| token_of_server(request))
        .response(other_tokens),
];

fn is_list(request: &Request) -> bool {
    request.operation().is_some_and(Operation::is_list)
}

fn ask_for_half(request: &mut Request) {
    let given: Vec<String> =
        request.parameters().into_iter().filter(|(name, _)| name == "limit").map(|(_, value)| value).collect();
    let limit = match &given[..] {
        [] => Some(DEFAULT_LIMIT),
        [one] if one.bytes().all(|byte| byte.is_ascii_digit()) => one.parse().ok(),
        _ => None,
    };
    if let Some(limit) = limit.filter(|limit| is_list(request) && (1..=100).contains(limit)) {
        request.set_parameter("limit", &limit.div_ceil(2).to_string());
    }
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

fn token_of_server(request: &mut Request) {
    if let Some(token) = request.parameter("page_token").filter(|_| is_list(request)) {
        // What the server gave out is no token here.
        let known = token.strip_prefix(BEGIN).map_or_else(|| format!("x{token}"), ToOwned::to_owned);
        request.set_parameter("page_token", &known);
    }
}

fn other_tokens(response: &mut Response, request: &Request, _: &Memory) {
    if !is_list(request) || !response.is_success() {
        return;
    }
    response.remove("content-length");
    response.edit(|page| {
        if let Some(Value::String(token)) = page.get_mut("next_page") {
            token.insert_str(0, BEGIN);
        }
    });
    response.change("link", |link| {
        edit_target(link, |next| {
            if let Some(token) = next.parameter("page_token") {
                next.set_parameter("page_token", &format!("{BEGIN}{token}"));
            }
        })
    });
}

async fn empty_pages(exchange: Exchange) -> Response {
    if !is_list(&exchange.request) {
        return exchange.forward().await;
    }
    // What is told to HEAD depends on the rows too.
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

/// The empty page behind the last row, for whom the server would have given it.
async fn behind_the_last(exchange: &Exchange, request: Request, last: &Value) -> Response {
    let mut same = request.clone();
    if let Some(token) = last["page_token"].as_str() {
        // Whether list, account and filters are right, the server knows from the token of the page before.
        same.set_parameter("page_token", token);
    } else {
        same.remove_parameter("page_token");
        let of_token: Vec<(String, String)> = serde_json::from_value(last["filters"].clone()).unwrap_or_default();
        let is_same = filters(&same).iter().all(|filter| of_token.contains(filter)) && last["path"] == request.path;
        if !is_same || !shows(exchange, &request, &of_token, last).await {
            // The server does not know the token, and says so.
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

/// Whether the account may see the last row.
async fn shows(exchange: &Exchange, request: &Request, filters: &[(String, String)], last: &Value) -> bool {
    if last["key"].as_str() == request.key() {
        return true;
    }
    let Some(key) = request.key() else { return false };
    let id = |row: &Value| row.get("id").or_else(|| row.get("website_id")).cloned();
    let rows = all_rows(exchange, &request.path, key, filters).await.unwrap_or_default();
    rows.iter().any(|row| id(row) == id(&last["row"]))
}
