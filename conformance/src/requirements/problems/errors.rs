//! `errors` of an error: each entry has one place.

use serde_json::Value;

use crate::check::Source::{Part, Sentence};
use crate::check::{Context, Exchange, Facts, Finding, Requirement, Verdict, demand, ensure};
use crate::spec::Document;
use crate::steps;
use crate::steps::control;
use crate::steps::observing::{call_each_operation, finding, problem};

/// Fields for the place of a fault in the request.
const PLACES: [&str; 3] = ["pointer", "parameter", "header"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "problems.errors.one-place",
            "Each entry of errors has detail and code, and exactly one of pointer, parameter and header.",
            &[
                Sentence("It has exactly one of `pointer`, `parameter` and `header`."),
                Part("/components/schemas/FieldError/required"),
            ],
            call_each_operation,
        )
        .observing(one_place),
        Requirement::new(
            "problems.errors.header-named",
            "The error for a malformed Idempotency-Key has an entry in errors that names that header.",
            &[
                Sentence(
                    "The HTTP message, a header such as `Idempotency-Key`, or a body of `multipart/form-data` is malformed.",
                ),
                Sentence("Errors of single fields, parameters or headers."),
                Sentence("Name of the header."),
                Part("/components/responses/GenerateBadRequest/content/application~1problem+json/examples/invalid_header"),
            ],
            header_named,
        )
        .should(),
    ]
}

/// Returns the entries of `errors`, if there are any.
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

async fn header_named(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Naming what is malformed");
    let exchange = context.send(steps::generate(&body).header("idempotency-key", "\"unfinished")).await?;
    demand::problem(&exchange, 400, &["invalid_header"])?;
    let errors = &demand::json(&exchange)?["errors"];
    let names_it = |entry: &Value| {
        let is_header = entry["header"].as_str().is_some_and(|name| name.eq_ignore_ascii_case("Idempotency-Key"));
        is_header && entry["code"] == "invalid_format"
    };
    let is_named = errors.as_array().is_some_and(|entries| entries.iter().any(names_it));
    ensure(is_named, "an entry in errors with header Idempotency-Key and code invalid_format", || errors.to_string())?;
    control::ordered(&context).await
}
