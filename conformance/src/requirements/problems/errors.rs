//! The list of faults in a problem: known codes, one place for each.

use serde_json::{Value, json};

use crate::check::{Context, Exchange, Facts, Finding, Requirement, Verdict, demand, ensure};
use crate::spec::Document;
use crate::steps;
use crate::steps::control;
use crate::steps::observing::{call_each_operation, finding, problem};

/// Where a fault of the request can be.
const PLACES: [&str; 3] = ["pointer", "parameter", "header"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.errors.one-place",
            "Each entry of errors has detail and code, and exactly one of pointer, parameter and header.",
            "openapi.yaml, FieldError",
            call_each_operation,
        )
        .observing(one_place),
        Requirement::must(
            "problems.errors.known-code",
            "The code of each entry of errors is one that the document names.",
            "openapi.yaml, FieldErrorCode",
            call_each_operation,
        )
        .should()
        .observing(known_code),
        Requirement::must(
            "problems.errors.header-named",
            "The problem of a malformed Idempotency-Key has an entry in errors that names that header.",
            "openapi.yaml, FieldError and the examples of GenerateBadRequest",
            header_named,
        )
        .should(),
    ]
}

/// The entries of `errors` of a problem that has some.
fn entries(exchange: &Exchange) -> Option<&Vec<Value>> {
    problem(exchange)?["errors"].as_array().filter(|entries| !entries.is_empty())
}

fn one_place(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let is_whole = |entry: &Value| {
        let places = PLACES.iter().filter(|place| entry[**place].is_string()).count();
        places == 1 && entry["detail"].is_string() && entry["code"].is_string()
    };
    let holds = entries(exchange)?.iter().all(is_whole);
    finding(holds, "entries in errors with detail, code and one of pointer, parameter and header", exchange)
}

fn known_code(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let known = document.schema("FieldErrorCode")["x-extensible-enum"].as_array()?;
    let holds = entries(exchange)?.iter().all(|entry| known.contains(&entry["code"]));
    finding(holds, "entries in errors with a code of the document", exchange)
}

async fn header_named(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Naming what is malformed");
    let exchange = context.send(steps::generate(&body).header("idempotency-key", "\"unfinished")).await?;
    demand::problem(&exchange, 400, &["invalid_header"])?;
    let errors = demand::json(&exchange)?["errors"].clone();
    let is_named = errors[0]["header"].as_str().is_some_and(|name| name.eq_ignore_ascii_case("Idempotency-Key"));
    ensure(is_named, "an entry in errors with header Idempotency-Key", || errors.to_string())?;
    demand::same("its code", &json!("invalid_format"), &errors[0]["code"])?;
    control::ordered(&context).await
}
