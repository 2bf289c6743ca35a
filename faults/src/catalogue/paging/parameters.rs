//! Reads and changes the query of a list, and refuses parameters.

use chrono::{DateTime, Duration, Utc};
use serde_json::json;

use crate::message::{Operation, Request, Response, parse_time, write_time};

/// States by which articles can be filtered.
const ARTICLE_STATES: [&str; 4] = ["draft", "scheduled", "published", "archived"];
/// States by which scheduled posts can be filtered.
const ENTRY_STATES: [&str; 8] =
    ["queued", "generating", "ready", "scheduled", "publishing", "published", "failed", "cancelled"];
/// Filters by time.
pub(in crate::catalogue) const TIMES: [&str; 3] = ["updated_since", "captured_since", "captured_until"];

/// Returns true if the request asks for a page of a list with `GET`.
pub(in crate::catalogue) fn is_page(request: &Request) -> bool {
    request.method == http::Method::GET && request.operation().is_some_and(Operation::is_list)
}

/// Returns the filters of the requested list.
pub(in crate::catalogue) fn filters_of(request: &Request) -> &'static [&'static str] {
    match request.operation() {
        Some(Operation::ListArticles) => &["website_id", "status", "updated_since"],
        Some(Operation::ListLeads) => {
            &["website_id", "article_id", "captured_since", "captured_until", "updated_since"]
        }
        Some(Operation::ListScheduledPosts) => &["website_id", "status"],
        _ => &[],
    }
}

/// Returns a parameter of a list that is given once.
pub(in crate::catalogue) fn single(request: &Request, name: &str) -> Option<String> {
    let is_known = ["limit", "page_token"].contains(&name) || filters_of(request).contains(&name);
    if !is_known || !request.operation().is_some_and(Operation::is_list) {
        return None;
    }
    let mut values = request.parameters().into_iter().filter(|(found, _)| found == name).map(|(_, value)| value);
    values.next().filter(|_| values.next().is_none())
}

/// Returns a parameter of a list that is given once and matches its schema.
pub(in crate::catalogue) fn valid(request: &Request, name: &str) -> Option<String> {
    single(request, name).filter(|value| match name {
        "limit" => value.parse::<u32>().is_ok_and(|limit| (1..=100).contains(&limit)),
        "status" if request.is(Operation::ListArticles) => ARTICLE_STATES.contains(&value.as_str()),
        "status" => ENTRY_STATES.contains(&value.as_str()),
        "website_id" | "article_id" => (1..=128).contains(&value.chars().count()),
        _ if TIMES.contains(&name) => parse_time(value).is_some(),
        _ => true,
    })
}

/// Removes a valid parameter. Keeps one that the server must refuse.
pub(in crate::catalogue) fn ignore(request: &mut Request, name: &str) {
    if valid(request, name).is_some() {
        request.remove_parameter(name);
    }
}

/// Replaces the value of a parameter that is given once.
pub(in crate::catalogue) fn reread(request: &mut Request, name: &str, read: impl FnOnce(&str) -> Option<String>) {
    if let Some(value) = single(request, name).and_then(|value| read(&value)) {
        request.set_parameter(name, &value);
    }
}

/// Replaces the times of valid filters. `read` gets them as written, too.
pub(in crate::catalogue) fn misread_times(
    request: &mut Request,
    read: impl Fn(&str, DateTime<Utc>) -> Option<DateTime<Utc>>,
) {
    for name in TIMES {
        reread(request, name, |text| read(text, parse_time(text)?).map(exactly));
    }
}

/// Moves a bound past its own moment. A bound between two milliseconds stays unchanged.
pub(in crate::catalogue) fn moment_later(_: &str, bound: DateTime<Utc>) -> Option<DateTime<Utc>> {
    (bound.timestamp_subsec_nanos().is_multiple_of(1_000_000)).then(|| bound + Duration::milliseconds(1))
}

/// Writes a bound with all its digits.
fn exactly(bound: DateTime<Utc>) -> String {
    if bound.timestamp_subsec_nanos().is_multiple_of(1_000_000) {
        write_time(bound)
    } else {
        bound.to_rfc3339_opts(chrono::SecondsFormat::Nanos, true)
    }
}

/// Returns a refusal of a parameter. `template` is a response of the same server.
pub(in crate::catalogue) fn refuse(template: &Response, request: &Request, parameter: &str, detail: &str) -> Response {
    let mut refusal = problem(template, request, 422, "validation_failed", "Validation failed");
    let error = json!({ "detail": detail, "code": "out_of_range", "parameter": parameter });
    refusal.edit(|problem| problem["errors"] = json!([error]));
    refusal
}

/// Returns a problem about the requested address. `template` is a response of the same server.
pub(in crate::catalogue) fn problem(
    template: &Response,
    request: &Request,
    status: u16,
    code: &str,
    title: &str,
) -> Response {
    let mut problem = Response::problem(template, status, code, title);
    problem.edit(|body| {
        body["type"] = json!(format!("urn:problem-type:content-generation:{code}"));
        body["instance"] = json!(request.public_path());
    });
    problem
}
