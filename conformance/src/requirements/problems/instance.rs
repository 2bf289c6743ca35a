//! `instance` of an error is the path of the request.

use crate::check::Source::Sentence;
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, is_path_below, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "problems.instance.path",
            "The instance of an error is the path of the request, without the query.",
            &[Sentence("Path of the request, without the query.")],
            call_each_operation,
        )
        .observing(problem_instance),
    ]
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
