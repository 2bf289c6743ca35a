//! Parts of a request: its path, its method, its `Accept` and a body that it does not need.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Cases, Context, Credential, Request, Requirement, Source, Verdict, demand, ensure, header_fields};
use crate::steps::lists::{ARTICLES, List};
use crate::steps::{self, control, lists};
use crate::strategies::Space;

const NOT_ALLOWED: &[Source] = &[
    Part("/x-problem-codes/method_not_allowed/status"),
    Sentence("The path does not support this method."),
    Sentence("`Allow` lists those that it supports."),
    Sentence("A path supports only the methods of this document, and HEAD for GET."),
    Sentence("`OPTIONS` is answered with 405, except at `/capture/{website_id}`."),
    Standard("RFC 9110", "15.5.6"),
];

const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "http.route.unknown",
            "The response to an unknown path is 404 route_not_found, also if only a trailing slash or the letter case makes it unknown.",
            &[
                Sentence("A path with a trailing slash or in another letter case is an unknown route."),
                Sentence("There is no such path or, below `/capture/`, no such website or confirmation link."),
                Part("/x-problem-codes/route_not_found/status"),
            ],
            unknown_path,
        )
        .drawn("misspelt paths", Cases::Exactly(11), |_, draw| json!(draw.index())),
        Requirement::new(
            "http.method.unusual",
            "The response to TRACE and to unknown methods is 4xx or 501.",
            &[Standard("RFC 9110", "9.1")],
            unusual_method,
        )
        .should()
        .drawn("unusual methods", Cases::Exactly(3), |_, draw| json!(["TRACE", "FOO", "get"][draw.index() % 3])),
        Requirement::new(
            "http.method.not-allowed",
            "The response to a method that the path does not support, such as OPTIONS, is 405 method_not_allowed with Allow.",
            NOT_ALLOWED,
            not_allowed,
        )
        .drawn(
            "every path with every other method",
            Cases::Listed(|space| other_methods(space).len()),
            |space, draw| {
                let all = other_methods(space);
                all[draw.index() % all.len()].clone()
            },
        ),
        Requirement::new(
            "http.order.route-first",
            "Route and method are checked before the credentials.",
            &[Sentence(
                "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, validation, access to the website, state of the website, queue.",
            )],
            route_first,
        ),
        Requirement::new(
            "http.id.percent-encoded",
            "The service decodes percent-encoded ids in paths.",
            &[Standard("RFC 3986", "2.3"), Standard("RFC 9110", "4.2.3")],
            percent_encoded,
        ),
        Requirement::new(
            "http.accept.disregarded",
            "A request with another media type in Accept gets the same response.",
            &[Sentence("The API ignores `Accept`; only the lead form reads it.")],
            accept,
        ),
        Requirement::new(
            "http.body.ignored-on-get",
            "A small body of a GET request has no effect: the response is the same as without it, or a refusal with 4xx.",
            &[
                Standard("RFC 9110", "9.3.1"),
                Sentence("No request makes the service fail: 500 has a cause outside of the request."),
            ],
            body_on_get,
        ),
    ]
}

async fn unknown_path(context: Context, case: Value) -> Verdict {
    let paths = [
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v1/generate/",
        "/api/v1/Generate",
        "/api/v1/articles/",
        "/api/v1/articles/art_x/more",
        "/api/v1/jobs/",
        "/api/v1/jobs/job_x/cancel/",
        "/api/v0/articles",
        "/api/v1/scheduled-posts",
        "/API/V1/articles",
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % paths.len();
    let exchange = context.send(Request::outside("GET", paths[index])).await?;
    demand::problem(&exchange, 404, &["route_not_found"])?;
    control::listed(&context, ARTICLES).await
}

async fn unusual_method(context: Context, method: Value) -> Verdict {
    let method = method.as_str().unwrap_or("FOO");
    let exchange = context.send(Request::outside(method, "/api/v1/websites")).await?;
    ensure(matches!(exchange.status, 400..=499 | 501), "status 4xx or 501", || demand::seen(&exchange))?;
    control::accepted(&context, Request::outside("GET", "/api/v1/websites")).await
}

/// Returns `{path, method, allowed}` for every path of the API and every method that it does not support.
fn other_methods(space: &Space) -> Vec<Value> {
    let mut paths: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for operation in space.document().keyed_operations() {
        paths.entry(operation.made_up_path()).or_default().push(operation.method.clone());
    }
    let mut cases = Vec::new();
    for (path, allowed) in paths {
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
    let right = Request::outside(case["allowed"][0].as_str().unwrap_or_default(), demand::text(&case, "path")?);
    control::let_through(&context, right, &[405]).await
}

async fn route_first(context: Context, _: Value) -> Verdict {
    let unknown = Request::outside("GET", "/api/v1/nothing").by(Credential::None);
    demand::problem(&*context.send(unknown).await?, 404, &["route_not_found"])?;
    let method = Request::outside("DELETE", "/api/v1/articles").by(Credential::None);
    demand::problem(&*context.send(method).await?, 405, &["method_not_allowed"])?;
    control::listed(&context, ARTICLES).await
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

async fn accept(context: Context, _: Value) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites").header("accept", "application/xml");
    demand::status(&*context.send(request).await?, 200)
}

async fn body_on_get(context: Context, _: Value) -> Verdict {
    let list = List::named("/websites");
    let exchange = context.send(list.page("").bytes("application/json", b"{\"a\":1".to_vec())).await?;
    if (400..500).contains(&exchange.status) {
        return control::listed(&context, list).await;
    }
    demand::status(&exchange, 200)?;
    lists::is_page(&exchange)?;
    let page = lists::page(&context, list, "").await?;
    let [seen, wanted] = [list.ids(demand::json(&exchange)?), list.ids(demand::json(&page)?)];
    ensure(seen == wanted, "the same websites as without a body", || format!("{seen:?}"))
}
