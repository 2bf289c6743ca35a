//! Benign variants: what another correct server would send.

use std::time::Duration;

use http::StatusCode;
use serde_json::{Value, json};

use super::answer::{Answer, Asked};
use crate::domain::fault::table::benign;

/// How much longer a slow answer takes.
const SLOWER: Duration = Duration::from_millis(50);

pub(super) async fn delay() {
    if benign::SLOW.is_on() {
        tokio::time::sleep(SLOWER).await;
    }
}

pub(super) fn vary(asked: &Asked, answer: &mut Answer) {
    let is_api = !matches!(asked.operation, "hosted_site" | "capture_lead" | "none");
    if (200..300).contains(&answer.status()) && is_api {
        successes(asked, answer);
    }
    if answer.status() >= 400 {
        refusals(answer);
    }
    core(asked, answer);
    others(asked, answer);
}

fn successes(asked: &Asked, answer: &mut Answer) {
    if benign::EXTRA_MEMBERS.is_on() {
        answer.edit(enrich);
    }
    if benign::NULLS_LEFT_OUT.is_on() {
        answer.edit(strip);
    }
    if benign::NO_PREFERENCE_APPLIED.is_on() {
        answer.remove_header("preference-applied");
    }
    if benign::LISTS_REVALIDATED.is_on() && asked.operation.starts_with("list_") && asked.operation != "list_leads" {
        answer.set_header("cache-control", "private, no-cache");
    }
    if benign::ABSOLUTE.is_on() {
        let base = format!("http://{}", asked.authority);
        for name in ["location", "content-location", "link"] {
            let whole = answer.header(name).map(|value| {
                if name == "link" { value.replace("</api", &format!("<{base}/api")) } else { format!("{base}{value}") }
            });
            if let Some(whole) = whole {
                answer.set_header(name, &whole);
            }
        }
    }
}

/// Members that nobody asked for.
fn enrich(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let is_map = members.values().all(Value::is_string);
            members.values_mut().for_each(enrich);
            // A map of the caller's own labels is no object of the server's.
            if !is_map && !members.contains_key("@type") && !members.contains_key("@context") {
                members.insert("x_trace".to_owned(), json!({ "node": 7, "tags": [], "none": null }));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(enrich),
        _ => {}
    }
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

fn refusals(answer: &mut Answer) {
    if benign::SPARSE_PROBLEMS.is_on() {
        answer.edit(|body| {
            body.as_object_mut().map(|members| members.remove("instance"));
        });
    }
    if benign::RICH_PROBLEMS.is_on() {
        answer.edit(|body| body["help"] = json!({ "url": "https://example.com/help", "since": null }));
    }
    if benign::TWO_CHALLENGES.is_on()
        && let Some(challenge) = answer.header("www-authenticate")
    {
        let longer = format!("{challenge}, charset=\"UTF-8\", error_description=\"see the documentation\"");
        answer.set_header("www-authenticate", &longer);
    }
    if benign::ALLOW_SPACED.is_on()
        && let Some(allow) = answer.header("allow")
    {
        let reversed: Vec<&str> = allow.split(", ").collect();
        let reversed = reversed.into_iter().rev().collect::<Vec<_>>().join(" ,  ");
        answer.set_header("allow", &reversed);
    }
}

/// Servers that keep the documented facts and nothing else.
fn core(asked: &Asked, answer: &mut Answer) {
    let is_generated = asked.operation == "generate" && answer.status() == 202;
    let is_refused = answer.status() >= 400;
    if is_generated && benign::IS_200.is_on() {
        answer.set_status(StatusCode::OK);
    }
    if is_generated && benign::IS_201.is_on() {
        answer.set_status(StatusCode::CREATED);
    }
    if is_generated && benign::ONLY_JOB_ID.is_on() {
        answer.edit(|body| *body = json!({ "job_id": body["job_id"] }));
    }
    if is_refused && benign::ERRORS_HTML.is_on() {
        answer.set_body("text/html", "<html><body><h1>Sorry</h1></body></html>");
    }
    if is_refused && benign::ERRORS_EMPTY.is_on() {
        answer.set_body("text/plain", "");
    }
    if is_refused && benign::ERRORS_400.is_on() {
        answer.set_status(StatusCode::BAD_REQUEST);
        answer.set_body("text/plain", "bad request");
    }
    if answer.status() == 401 && benign::KEYS_403.is_on() {
        answer.set_status(StatusCode::FORBIDDEN);
        answer.set_body("application/json", "{\"error\":\"forbidden\"}");
    }
    let is_documented = matches!(asked.operation, "generate" | "get_article" | "capture_lead");
    if benign::DOCUMENTED_ONLY.is_on() && !is_documented {
        answer.set_status(StatusCode::NOT_FOUND);
        answer.set_body("text/plain", "404");
    }
    if benign::BARE_ARTICLE.is_on() && asked.operation == "get_article" && answer.status() == 200 {
        answer.edit(|body| *body = json!({ "headline": body["title"], "text": body["content_markdown"] }));
    }
}

fn others(asked: &Asked, answer: &mut Answer) {
    if benign::EXTRA_HEADERS.is_on() {
        for (name, value) in [
            ("server", "other/1.0"),
            ("via", "1.1 cache.example"),
            ("set-cookie", "lb=7; Path=/; HttpOnly"),
            ("strict-transport-security", "max-age=63072000"),
            ("vary", "Accept-Encoding, Authorization"),
        ] {
            answer.set_header(name, value);
        }
    }
    if benign::LONG_RETRY_AFTER.is_on() && answer.header("retry-after").is_some() && answer.status() != 429 {
        answer.set_header("retry-after", "7");
    }
    if benign::TWO_POLICIES.is_on() {
        for (name, more) in
            [("ratelimit-policy", "\"day\";q=1000000;w=86400"), ("ratelimit", "\"day\";r=999999;t=80000")]
        {
            if let Some(first) = answer.header(name) {
                let both = format!("{first}, {more}");
                answer.set_header(name, &both);
            }
        }
    }
    if benign::CHARSET.is_on()
        && let Some(media_type) = answer.header("content-type").filter(|value| value.contains("json"))
    {
        let labelled = format!("{media_type}; charset=utf-8");
        answer.set_header("content-type", &labelled);
    }
    if benign::OTHER_TAGS.is_on()
        && let Some(tag) = answer.header("etag")
    {
        let longer = format!("\"gen,7;{}\"", tag.trim_matches('"'));
        answer.set_header("etag", &longer);
    }
    let _ = asked;
}
