//! Methods that a path does not support.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Cases, Context, Request, Requirement, Source, Verdict, demand, ensure, header_fields};
use crate::steps::control;
use crate::strategies::Space;

const SOURCES: &[Source] = &[
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
            "http.method.unusual",
            "The response to TRACE and to unknown methods is 4xx or 501.",
            &[Standard("RFC 9110", "9.1")],
            unusual,
        )
        .should()
        .drawn("unusual methods", Cases::Exactly(3), |_, draw| json!(["TRACE", "FOO", "get"][draw.index() % 3])),
        Requirement::new(
            "http.method.not-allowed",
            "The response to a method that the path does not support, such as OPTIONS, is 405 method_not_allowed with Allow.",
            SOURCES,
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
    ]
}

async fn unusual(context: Context, method: Value) -> Verdict {
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
