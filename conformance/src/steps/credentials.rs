//! Every operation, called with other credentials.

use serde_json::{Value, json};

use crate::check::{Context, Exchange, Request, Verdict, demand, ensure};
use crate::steps;
use crate::steps::draws::index_of;

/// Every operation, with a path that needs no object.
pub(crate) const OPERATIONS: [(&str, &str, &str); 9] = [
    ("generate", "POST", "/generate"),
    ("get_article", "GET", "/articles/art_x"),
    ("get_job", "GET", "/jobs/job_x"),
    ("list_leads", "GET", "/leads"),
    ("get_lead", "GET", "/leads/lead_x"),
    ("list_articles", "GET", "/articles"),
    ("cancel_job", "POST", "/jobs/job_x/cancel"),
    ("list_scheduled_posts", "GET", "/scheduled_posts"),
    ("list_websites", "GET", "/websites"),
];

/// The operation at that place of the list, as it is sent to find out who is let through.
pub(crate) fn operation(case: &Value) -> Request {
    let (operation, method, path) = OPERATIONS[index_of(case) % OPERATIONS.len()];
    let request = Request::new(operation, method, path);
    if operation == "generate" {
        request.json(&json!({ "topic": "Nobody asked for this", "website_id": "web_x" }))
    } else {
        request
    }
}

pub(crate) fn with_website(context: &Context, mut request: Request) -> Request {
    if request.operation == Some("generate") {
        let body = steps::quiet_request(context, "Nobody asked for this");
        request.body = Some(body.to_string().into());
    }
    request
}

/// `WWW-Authenticate` begins with the scheme and holds `part`.
pub(crate) fn challenge(exchange: &Exchange, part: &str) -> Verdict {
    let value = demand::header(exchange, "www-authenticate")?.to_lowercase();
    let holds = value.starts_with("bearer") && value.contains(part);
    ensure(holds, format!("WWW-Authenticate: Bearer … {part}"), || value.clone())
}
