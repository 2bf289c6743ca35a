//! The key never shows in an answer.

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;

const KEYS: &str = "service description, section 5";

/// Keys shorter than this show by chance.
const SHORTEST_ECHO: usize = 8;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.key.never-echoed",
            "The API key never appears in an answer, neither in headers nor in the body.",
            KEYS,
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
    Some(Err(Finding::new("an answer without the key", format!("the key in {place} of {}", exchange.line()))))
}
