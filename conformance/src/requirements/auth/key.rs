//! No key appears in a response.

use crate::check::Source::{Fact, Sentence};
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;

/// Minimum length in bytes of a key to search for: a shorter one may appear by chance.
const SHORTEST_ECHO: usize = 12;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "auth.key.never-echoed",
            "No key appears in a response, neither in its headers nor in its body.",
            &[
                Fact("2"),
                Fact("5"),
                Sentence("A key begins with a fixed prefix and is shown once."),
                Sentence("It never contains the key."),
            ],
            crate::steps::observing::call_each_operation,
        )
        .core()
        .observing(echoes_key),
    ]
}

#[expect(clippy::unnecessary_wraps, reason = "every observer has this type")]
fn echoes_key(_: &Document, facts: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let leaks = |bytes: &[u8]| facts.secrets.show_in(bytes, SHORTEST_ECHO);
    let in_header = exchange.headers.iter().find(|(_, value)| leaks(value.as_bytes()));
    let place = match in_header {
        Some((name, _)) => format!("header {name}"),
        None if leaks(&exchange.body) => "the body".to_owned(),
        None => return Some(Ok(())),
    };
    Some(Err(Finding::new("a response without the key", format!("the key in {place} of {}", exchange.line()))))
}
