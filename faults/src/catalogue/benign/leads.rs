//! Leads with other scores and reasons, and forms with more around them.

use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::super::leads::shown::edit_event;
use super::super::state::records::is_read;
use super::body;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// HTML added around a page of the lead form.
const AROUND: &str = "<!-- <h1>Error</h1> --><STYLE>p::before { content: '<form>' }</STYLE>\
    <script>if (1 < 2) { self.shown = true }</script><noscript><p lang=fr>Merci&nbsp;!</noscript>";

/// Codes of jobs that fail permanently.
const FOR_GOOD: [&str; 4] = ["content_rejected", "voice_unsatisfiable", "language_not_supported", "website_inactive"];

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.spam-scores",
        "The score of suspected spam is 61: the document leaves the threshold open.",
        Profile::Full,
    )
    .response(|response, request, _| edit_leads(response, request, lower_score))
    .hook(|hook, _, _| edit_event(hook, lower_score)),
    variant(
        "benign.unknown-words",
        "Spam reasons and job errors have custom values: x-extensible-enum only recommends the known ones.",
        Profile::Full,
    )
    .response(unknown_words)
    .hook(|hook, _, _| {
        edit_event(hook, add_reason);
        body::edit_data(hook, |data| data.get_mut("job").into_iter().for_each(rename_error));
    }),
    variant(
        "benign.cors-more",
        "The lead form sends browsers more headers about reading, caching and embedding: the document leaves them open.",
        Profile::Full,
    )
    .response(|response, request, _| {
        if request.path.starts_with("/capture/") {
            response.set("cross-origin-resource-policy", "cross-origin");
            response.set("timing-allow-origin", "*");
        }
        if response.header("access-control-allow-origin").is_some() {
            response.set("access-control-expose-headers", "X-Request-Id, Retry-After");
            response.set("access-control-max-age", "600");
            response.append("vary", "Origin, Access-Control-Request-Headers");
        }
    }),
    variant(
        "benign.form-pages-styled",
        "Pages of the lead form have styles, scripts and comments: the document only says that they are for people.",
        Profile::Full,
    )
    .response(|response, request, _| {
        let is_page = response.header("content-type").is_some_and(|value| value.starts_with("text/html"));
        if is_page && request.path.starts_with("/capture/") {
            let page = String::from_utf8_lossy(&response.body).into_owned();
            response.remove("content-length");
            response.set_body("Text/HTML;charset=\"UTF-8\"", format!("{page}\r\n{AROUND}"));
        }
    }),
];

fn edit_leads(response: &mut Response, request: &Request, change: fn(&mut Value)) {
    if is_read(response, request, Operation::ListLeads) {
        body::edit_rows(response, change);
    } else if is_read(response, request, Operation::GetLead) {
        body::edit(response, change);
    }
}

fn lower_score(lead: &mut Value) {
    if lead.pointer("/spam/suspected") == Some(&json!(true)) {
        lead["spam"]["score"] = json!(61);
    }
}

fn add_reason(lead: &mut Value) {
    let Some(spam) = lead.get_mut("spam") else { return };
    if let Some(reasons) = spam.get_mut("reasons").and_then(Value::as_array_mut) {
        reasons.push(json!("listed_address"));
        spam["score"] = json!(spam["score"].as_u64().unwrap_or(0).max(5));
    }
}

fn rename_error(record: &mut Value) {
    let code = record.pointer("/error/code").and_then(Value::as_str);
    if code.is_some_and(|code| FOR_GOOD.contains(&code)) {
        record["error"]["code"] = json!("topic_refused");
    }
}

fn unknown_words(response: &mut Response, request: &Request, _: &Memory) {
    edit_leads(response, request, add_reason);
    match request.operation().filter(|_| response.is_success()) {
        Some(Operation::GetJob | Operation::CancelJob | Operation::GetScheduledPost) => {
            body::edit(response, rename_error);
        }
        Some(Operation::ListScheduledPosts) => body::edit_rows(response, rename_error),
        _ => {}
    }
}
