//! Problems are complete: every member that the document promises, a type that names the kind, one place for each fault.
//!
//! That a refusal is a problem at all, with the right code and status, is in `observed`.

use serde_json::{Value, json};

use super::context::Context;
use super::demand;
use super::exchange::Exchange;
use super::facts::Facts;
use super::observed::{finding, problem, tour};
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Finding, Verdict, ensure};
use crate::spec::Document;

/// What every problem has.
const ALWAYS: [&str; 5] = ["type", "title", "detail", "code", "request_id"];

/// Where a fault of the request can be.
const PLACES: [&str; 3] = ["pointer", "parameter", "header"];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.members.complete",
            "A problem always has type, title, status, detail, code and request_id, also below paths that are no route.",
            "openapi.yaml, Problem",
            tour,
        )
        .observing(complete),
        Requirement::must(
            "problems.type.names-code",
            "type is the URI of the code in the table, never about:blank.",
            "RFC 9457, section 3.1.1; openapi.yaml, x-problem-codes",
            tour,
        )
        .observing(type_uri),
        Requirement::must(
            "problems.errors.one-place",
            "An entry of errors has detail and code, and exactly one of pointer, parameter and header.",
            "openapi.yaml, FieldError",
            tour,
        )
        .observing(one_place),
        Requirement::must(
            "problems.errors.known-code",
            "The code of an entry of errors is one that the document names; others may be added.",
            "openapi.yaml, FieldErrorCode",
            tour,
        )
        .should()
        .observing(known_code),
        Requirement::must(
            "problems.errors.header-named",
            "The problem of a malformed Idempotency-Key names that header.",
            "openapi.yaml, FieldError and the examples of GenerateBadRequest",
            header_named,
        )
        .should(),
    ]
}

fn complete(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let is_text = |name: &str| body[name].as_str().is_some_and(|text| !text.trim().is_empty());
    let missing = ALWAYS.into_iter().find(|name| !is_text(name));
    let missing = missing.or_else(|| (!body["status"].is_number()).then_some("status"));
    finding(missing.is_none(), &format!("a problem with {}", missing.unwrap_or("every member")), exchange)
}

/// Where the base of the URIs is another one, the code is still their end.
fn type_uri(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let code = body["code"].as_str()?;
    let row = document.problems().get(code)?;
    let uri = body["type"].as_str().unwrap_or_default();
    let is_row = row.type_uri.as_deref() == Some(uri);
    let is_own_base = uri.strip_suffix(code).is_some_and(|base| base.ends_with([':', '/', '#']));
    finding(is_row || is_own_base, &format!("a type that names {code}"), exchange)
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
    demand::same("its code", &json!("invalid_format"), &errors[0]["code"])
}
