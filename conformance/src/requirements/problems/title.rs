//! Titles of errors.

use crate::check::Source::Sentence;
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
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
    ]
}

fn problem_title(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let row = document.problems().get(body["code"].as_str().unwrap_or_default())?;
    finding(body["title"] == row.title.as_str(), "the title of the code in the table", exchange)
}
