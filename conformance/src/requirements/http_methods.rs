//! Methods and routes: HEAD, OPTIONS, other methods, unknown and misspelt paths.
//!
//! Bytes that are no HTTP are in `http_raw`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::context::Context;
use super::demand;
use super::exchange::{Credential, Request};
use super::header_fields;
use super::http_head::like_get;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{Verdict, ensure};
use crate::strategies::Space;

const SOURCE: &str = "RFC 9110, section 15.5.6; openapi.yaml, x-problem-codes";
const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("http.method.not-allowed", "A method that a path does not have is 405 method_not_allowed with Allow; OPTIONS too.", SOURCE, not_allowed)
            .drawn("every path with every other method", Cases::Listed(|space| other_methods(space).len()), |space, draw| {
                let all = other_methods(space);
                all[draw.index() % all.len()].clone()
            }),
        Requirement::must("http.head.like-get", "HEAD answers like GET, status and headers alike, without a body.", "RFC 9110, section 9.3.2", head)
            .drawn("every path with GET", Cases::Exactly(7), |_, draw| json!(draw.index())),
        Requirement::must("http.route.unknown", "A path that is no route is 404 route_not_found: also with a trailing slash, in other case, or in another version.", "openapi.yaml, x-problem-codes", unknown)
            .drawn("misspelt paths", Cases::Exactly(12), |_, draw| json!(draw.index())),
        Requirement::must("http.order.route-first", "Route and method are checked before the credentials.", "openapi.yaml, info.description", route_first),
        Requirement::must("http.id.percent-encoded", "Percent-encoded ids are decoded.", "RFC 3986, section 2.1", percent_encoded),
        Requirement::must("http.body.ignored-on-get", "GET ignores a small body.", "RFC 9110, section 9.3.1", body_on_get),
        Requirement::must("http.request-id.own", "Every answer has a request id of its own; one that the client sends is not taken over.", "openapi.yaml, X-Request-Id", own_request_id),
    ]
}

/// `{path, method, allowed}` for every path and every method that it does not have.
fn other_methods(space: &Space) -> Vec<Value> {
    let mut paths: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for operation in space.document().operations() {
        paths.entry(operation.path.clone()).or_default().push(operation.method.clone());
    }
    let mut cases = Vec::new();
    for (path, allowed) in paths {
        let path = path.replace("{id}", "art_x").replace("{job_id}", "job_x").replace("{lead_id}", "lead_x");
        for method in METHODS.iter().filter(|method| !allowed.iter().any(|known| known == *method)) {
            cases.push(json!({ "path": path, "method": method, "allowed": allowed }));
        }
    }
    cases
}

async fn not_allowed(context: Context, case: Value) -> Verdict {
    let request = Request::outside(demand::text(&case, "method")?, demand::text(&case, "path")?);
    let exchange = context.send(request).await?;
    demand::problem(&exchange, 405, &["method_not_allowed"])?;
    demand::header(&exchange, "allow")?;
    let allow = header_fields::joined(&exchange.headers, "allow");
    let listed = header_fields::elements(&allow);
    for method in case["allowed"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        ensure(listed.contains(&method), format!("{method} in Allow"), || allow.clone())?;
        let head = method != "GET" || listed.contains(&"HEAD");
        ensure(head, "HEAD in Allow beside GET", || allow.clone())?;
    }
    Ok(())
}

async fn head(context: Context, case: Value) -> Verdict {
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0);
    let body = steps::quiet_request(&context, "Looking at the head only");
    let paths = [
        "/websites",
        "/articles?limit=1",
        "/leads?limit=1",
        "/scheduled_posts?limit=1",
        "/jobs/job_x",
        "/articles/art_x",
    ];
    let path = match paths.get(index) {
        Some(path) => format!("/api/v1{path}"),
        None => format!("/api/v1/jobs/{}", steps::queue(&context, &body).await?),
    };
    if index >= paths.len() {
        steps::finished(&context, path.rsplit('/').next().unwrap_or_default()).await?;
    }
    let get = context.send(Request::outside("GET", &path)).await?;
    like_get(&context, &get, &["content-type", "etag", "cache-control"]).await
}

async fn unknown(context: Context, case: Value) -> Verdict {
    let paths = [
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v1/generate/",
        "/api/v1/Generate",
        "/api/v1/articles/",
        "/api/v1/articles/art_x/more",
        "/api/v1/jobs/",
        "/api/v1/jobs/job_x/cancel/",
        "/api/v2/articles",
        "/api/v1/scheduled-posts",
        "/API/V1/articles",
        "/api/v1//articles",
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % paths.len();
    let exchange = context.send(Request::outside("GET", paths[index])).await?;
    demand::problem(&exchange, 404, &["route_not_found"])
}

async fn route_first(context: Context, _: Value) -> Verdict {
    let unknown = Request::outside("GET", "/api/v1/nothing").by(Credential::None);
    demand::problem(&*context.send(unknown).await?, 404, &["route_not_found"])?;
    let method = Request::outside("DELETE", "/api/v1/articles").by(Credential::None);
    demand::problem(&*context.send(method).await?, 405, &["method_not_allowed"])
}

async fn percent_encoded(context: Context, _: Value) -> Verdict {
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Encoding an address"))).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let encoded = steps::percent_encoded(&job_id);
    let request = Request::new("get_job", "GET", &format!("/jobs/{encoded}"));
    let exchange = context.send(request).await?;
    demand::status(&exchange, 200)?;
    demand::same("job_id", &json!(job_id), &demand::json(&exchange)?["job_id"])?;
    steps::discard(&context, &queued).await
}

async fn body_on_get(context: Context, _: Value) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites").bytes("application/json", b"{\"a\":1".to_vec());
    demand::status(&*context.send(request).await?, 200)
}

async fn own_request_id(context: Context, _: Value) -> Verdict {
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..4 {
        let request = Request::new("list_websites", "GET", "/websites").header("x-request-id", "chosen-by-the-client");
        let exchange = context.send(request).await?;
        let id = demand::header(&exchange, "x-request-id")?.to_owned();
        ensure(id != "chosen-by-the-client", "a request id of the server's own", || id.clone())?;
        ensure(seen.insert(id.clone()), "four different request ids", || format!("{id} twice"))?;
    }
    Ok(())
}
