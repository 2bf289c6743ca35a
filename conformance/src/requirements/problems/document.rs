//! Every error is a complete problem document: its media type, its fields and its entry in the table of codes.

use serde_json::Value;

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Context, Exchange, Facts, Finding, Requirement, Verdict, demand, ensure, header_fields};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};
use crate::steps::{self, control};

/// Texts of every error.
const ALWAYS: [&str; 5] = ["type", "title", "detail", "code", "request_id"];

/// Fields for the place of a fault in the request.
const PLACES: [&str; 3] = ["pointer", "parameter", "header"];

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "problems.body.schema",
            "Every error of the API matches the schema Problem. Its status equals the HTTP status, and it has a code.",
            &[
                Sentence("Every error is an `application/problem+json` document (RFC 9457) of the schema `Problem`."),
                Sentence("`status` equals the HTTP status, and `x-problem-codes` has `code` with that status."),
                Sentence("The service always sends `type`, `title`, `status`, `detail`, `code` and `request_id`."),
                Sentence("`null` and an absent field mean the same."),
            ],
            call_each_operation,
        )
        .observing(problem_schema),
        Requirement::new(
            "problems.body.media-type",
            "Every error of the API has the media type application/problem+json.",
            &[
                Sentence("Every error is an `application/problem+json` document (RFC 9457) of the schema `Problem`."),
                Sentence("Only the lead form, addresses of pages and others below the same folder may answer with a page."),
                Standard("RFC 9457", "3"),
            ],
            call_each_operation,
        )
        .observing(problem_media_type),
        Requirement::new(
            "problems.cache.no-store",
            "Every error of the API has Cache-Control: no-store.",
            &[Sentence(
                "`private, no-cache` with an `ETag`; `no-store` or `private, no-cache` for successes of cancel and of lists other than leads; `no-store` in all other responses, also in errors.",
            )],
            call_each_operation,
        )
        .observing(problem_cache),
        Requirement::new(
            "problems.members.complete",
            "Every error of the API has type, title, status, detail, code and request_id, also for unknown paths. Only rate_limited has violated-policies.",
            &[
                Sentence("The service always sends `type`, `title`, `status`, `detail`, `code` and `request_id`."),
                Sentence("Only in `rate_limited`."),
            ],
            call_each_operation,
        )
        .observing(complete),
        Requirement::new(
            "problems.code.table",
            "The code of an error is in the table of codes, and the HTTP status is that of the code.",
            &[
                Sentence("`x-problem-codes` lists the codes with their status, type and title."),
                Sentence("`status` equals the HTTP status, and `x-problem-codes` has `code` with that status."),
                Sentence("A later document may add codes; a server of this document sends only these."),
            ],
            call_each_operation,
        )
        .observing(problem_code),
        Requirement::new(
            "problems.code.of-operation",
            "The code of an error is one that the document lists for the response, or for the default response of the operation.",
            &[
                Sentence("`x-codes` on a response: the codes that it may have."),
                Sentence(
                    "Another error, such as an unknown route, or a body that did not arrive in time although the operation ignores it.",
                ),
                Part("/components/responses/JobNotFound/x-codes"),
                Part("/components/responses/GenerateRefused/x-codes"),
            ],
            call_each_operation,
        )
        .observing(code_of_operation),
        Requirement::new(
            "problems.title.table",
            "The title of an error is the one in the table of codes.",
            &[
                Sentence("`x-problem-codes` lists the codes with their status, type and title."),
                Sentence("The kind of problem in a few words, always the same for a code."),
            ],
            call_each_operation,
        )
        .should()
        .observing(problem_title),
        Requirement::new(
            "problems.type.names-code",
            "The type of an error is the URI in the table of codes, or another URI that ends in the code. It is never about:blank.",
            &[
                Sentence("`x-problem-codes` lists the codes with their status, type and title."),
                Sentence("URI of the kind of problem."),
            ],
            call_each_operation,
        )
        .observing(type_uri),
        Requirement::new(
            "problems.instance.path",
            "The instance of an error is the path of the request, without the query.",
            &[Sentence("Path of the request, without the query.")],
            call_each_operation,
        )
        .observing(problem_instance),
        Requirement::new(
            "problems.request-id.same",
            "The request_id of an error equals the header X-Request-Id.",
            &[Sentence("`request_id` equals the header `X-Request-Id`."), Sentence("The response's `X-Request-Id`.")],
            call_each_operation,
        )
        .observing(problem_request_id),
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

fn problem_schema(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let keeps_schema = document.response_violations("Problem", body).is_ok_and(|violations| violations.is_empty());
    let holds = keeps_schema && body["status"] == exchange.status && body["code"].is_string();
    finding(holds, "a Problem whose status is the HTTP status", exchange)
}

fn problem_media_type(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    problem(exchange)?;
    let media_type = exchange.header("content-type").unwrap_or_default();
    let holds = header_fields::is_media_type(media_type, "application/problem+json");
    finding(holds, "Content-Type: application/problem+json", exchange)
}

fn problem_cache(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    problem(exchange)?;
    let control = header_fields::joined(&exchange.headers, "cache-control");
    finding(header_fields::has_directive(&control, "no-store"), "Cache-Control: no-store", exchange)
}

fn complete(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    if !body["violated-policies"].is_null() && body["code"] != "rate_limited" {
        return finding(false, "violated-policies only in rate_limited", exchange);
    }
    let is_text = |name: &str| body[name].as_str().is_some_and(|text| !text.trim().is_empty());
    let missing = ALWAYS.into_iter().find(|name| !is_text(name));
    let missing = missing.or_else(|| (!body["status"].is_number()).then_some("status"));
    finding(missing.is_none(), &format!("a problem with {}", missing.unwrap_or("every field")), exchange)
}

fn code_of_operation(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let operation = document.operation(exchange.request.operation?)?;
    let codes = [operation.answer_codes(exchange.status).unwrap_or_default(), operation.default_codes()].concat();
    // A gateway may send other errors of the service.
    let is_listed = operation.names_status(exchange.status);
    (!codes.is_empty() && (is_listed || exchange.status < 500)).then_some(())?;
    // `problems.code.table` finds codes that are not in the table.
    let code = problem(exchange)?["code"].as_str().filter(|code| document.problems().contains_key(*code))?;
    let holds = codes.iter().any(|listed| listed == code);
    finding(holds, &format!("one of the codes {}", codes.join(", ")), exchange)
}

fn problem_code(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let row = document.problems().get(body["code"].as_str().unwrap_or_default());
    finding(row.is_some_and(|row| row.status == exchange.status), "a code of the table, with its status", exchange)
}

fn problem_title(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let row = document.problems().get(body["code"].as_str().unwrap_or_default())?;
    finding(body["title"] == row.title.as_str(), "the title of the code in the table", exchange)
}

/// Demands the URI of the table, or one with another base that ends in the code.
fn type_uri(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let code = body["code"].as_str()?;
    let row = document.problems().get(code)?;
    let uri = body["type"].as_str().unwrap_or_default();
    let is_row = row.type_uri.as_deref() == Some(uri);
    let is_own_base = uri.strip_suffix(code).is_some_and(|base| base.ends_with([':', '/', '#']));
    finding(is_row || is_own_base, &format!("a type that names {code}"), exchange)
}

fn problem_instance(_: &Document, facts: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let instance = body.get("instance").filter(|value| !value.is_null())?.as_str().unwrap_or("?");
    // The path of a lead form is its full URL.
    let path = match url::Url::parse(&exchange.request.path) {
        Ok(address) => below(&facts.base_url, address.path()).to_owned(),
        Err(_) => exchange.request.path.split('?').next().unwrap_or_default().to_owned(),
    };
    // A server may decode or normalise the path.
    let is_plain = !path.contains('%') && !path.contains("//");
    let holds = !instance.contains('?') && (!is_plain || is_path_below(&facts.base_url, instance, &path));
    finding(holds, "instance equal to the request's path", exchange)
}

/// Removes the path of the base URL from the beginning of a path.
fn below<'path>(base_url: &str, path: &'path str) -> &'path str {
    let base =
        url::Url::parse(base_url).map_or_else(|_| String::new(), |url| url.path().trim_end_matches('/').to_owned());
    path.strip_prefix(&*base).unwrap_or(path)
}

/// Returns true if `instance` is `path`, with or without the path of the base URL before it: a proxy may strip that path.
fn is_path_below(base_url: &str, instance: &str, path: &str) -> bool {
    instance == path || below(base_url, instance) == path
}

fn problem_request_id(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let holds = exchange.header("x-request-id").is_some_and(|id| body["request_id"] == id);
    finding(holds, "request_id equal to X-Request-Id", exchange)
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

#[cfg(test)]
mod tests {
    use super::is_path_below;

    #[test]
    fn an_instance_may_begin_with_the_path_of_the_base_url() {
        let base_url = "https://example.com/content";
        assert!(is_path_below(base_url, "/content/api/v1/leads", "/api/v1/leads"));
        assert!(is_path_below(base_url, "/api/v1/leads", "/api/v1/leads"));
        for other in ["/contents/api/v1/leads", "/content/api/v1/jobs", "/other/api/v1/leads", "api/v1/leads", ""] {
            assert!(!is_path_below(base_url, other, "/api/v1/leads"), "{other}");
        }
        assert!(!is_path_below("https://example.com", "/content/api/v1/leads", "/api/v1/leads"));
    }
}
