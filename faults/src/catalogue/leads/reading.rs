//! Faults in reading leads: the list, its order, a single lead.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// Maximum number of pages to read for one list.
const MAX_PAGES: usize = 500;
/// Prefix of the proxy's own page tokens.
const OWN_TOKEN: &str = "row-";

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.cacheable", "Caches may store leads.", &["leads.cache.no-store"]).response(|response, request, _| {
        let is_of_leads = request.is(Operation::ListLeads) || request.is(Operation::GetLead);
        if is_of_leads && response.is_success() {
            response.set("cache-control", "public, max-age=60");
        }
    }),
    fault("leads.single-differs", "A single lead omits its message.", &["leads.get.same-as-list"]).response(
        |response, request, _| {
            if request.is(Operation::GetLead) && response.is_success() {
                response.edit(|lead| lead["message"] = Value::Null);
            }
        },
    ),
    fault("leads.unknown-is-empty", "An unknown lead gets 200 with an empty object.", &["leads.unknown.not-found"])
        .response(|response, request, _| {
            if is_unknown(request, response) {
                response.status = 200;
                response.set_body("application/json", "{}");
            }
        }),
    fault("leads.unknown-is-400", "An id of another form gets 400.", &["leads.unknown.not-found"]).response(
        |response, request, _| {
            let is_usual = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
            let looks_odd = request.id().is_some_and(|id| !id.chars().all(is_usual));
            if looks_odd && is_unknown(request, response) {
                *response = Response::problem(response, 400, "invalid_header", "Invalid header");
            }
        },
    ),
    fault("leads.oldest-first", "Leads are sorted oldest first.", &["leads.list.newest-first"])
        .exchange(|exchange| relist(exchange, |rows, _| rows.reverse()).boxed()),
];

fn is_unknown(request: &Request, response: &Response) -> bool {
    request.is(Operation::GetLead) && response.status == 404
}

/// Reads the whole list of leads, reorders it, and cuts it into new pages.
pub(in super::super) async fn relist(exchange: Exchange, order: fn(&mut [Value], &Memory)) -> Response {
    let request = &exchange.request;
    let token = request.parameter("page_token");
    let begin = token.as_ref().map_or(Some(0), |token| token.strip_prefix(OWN_TOKEN)?.parse::<usize>().ok());
    let Some(begin) = begin.filter(|_| request.is(Operation::ListLeads)) else { return exchange.forward().await };
    let mut first = request.clone();
    first.remove_parameter("page_token");
    let mut response = exchange.send(first.clone()).await;
    let Some(mut page) = response.json().filter(|_| response.is_success()) else { return response };
    let mut rows = take_rows(&mut page);
    let limit = request.parameter("limit").and_then(|limit| limit.parse().ok()).unwrap_or(20);
    first.set_parameter("limit", "100");
    for _ in 0..MAX_PAGES {
        let Some(next) = page["next_page"].as_str() else { break };
        let mut request = first.clone();
        request.set_parameter("page_token", next);
        page = exchange.send(request).await.json().unwrap_or_default();
        rows.append(&mut take_rows(&mut page));
    }
    order(&mut rows, &exchange.memory);
    let end = begin.saturating_add(limit).min(rows.len());
    let next = (end < rows.len()).then(|| format!("{OWN_TOKEN}{end}"));
    response.remove("link");
    if let Some(next) = &next {
        let mut request = request.clone();
        request.set_parameter("page_token", next);
        response.set_next_link(&request);
    }
    response.edit(|page| {
        page["items"] = json!(rows.get(begin..end).unwrap_or_default());
        page["next_page"] = json!(next);
    });
    response
}

fn take_rows(page: &mut Value) -> Vec<Value> {
    page.get_mut("items").and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default()
}
