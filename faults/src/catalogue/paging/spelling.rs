//! Faults in reading a query: repeated, unknown, long and empty parameters.

use futures::future::FutureExt;

use super::super::fault::{Fault, fault};
use super::pages::link_as_asked;
use super::parameters::{filters_of, is_page, refuse, reread, single};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "paging.doubled-last",
        "The server uses the last value of a repeated parameter.",
        &["pages.parameter.doubled"],
    )
    .request(|request, _| last_counts(request))
    .response(link_as_asked),
    fault(
        "paging.doubled-filters",
        "The server uses the first value of a repeated filter.",
        &["pages.parameter.doubled"],
    )
    .request(|request, _| first_filter_counts(request))
    .response(link_as_asked),
    fault("paging.unknown-refused", "The server refuses unknown parameters.", &["pages.parameter.unknown"])
        .exchange(|exchange| unknown_refused(exchange).boxed()),
    fault("paging.id-any-length", "The server accepts a filter by id of any length.", &["pages.filter.id-bounds"])
        .request(|request, _| {
            reread_ids(request, |id| (id.chars().count() > 128).then(|| id.chars().take(128).collect()));
        })
        .response(link_as_asked),
    // The server refuses an id that is too long in its own way.
    fault(
        "paging.id-in-bytes",
        "The server counts the length of a filter by id in bytes.",
        &["pages.filter.id-bounds"],
    )
    .request(|request, _| {
        reread_ids(request, |id| (id.len() > 128).then(|| id.chars().cycle().take(129).collect()));
    }),
    fault(
        "paging.id-punctuation",
        "A filter by id with a space or a punctuation mark gets 422.",
        &["pages.parameter.any-valid"],
    )
    .request(|request, _| {
        reread_ids(request, |id| {
            let is_odd = |letter: char| letter == ' ' || letter.is_ascii_punctuation() && !matches!(letter, '-' | '_');
            // The server refuses an empty id in its own way.
            id.contains(is_odd).then(String::new)
        });
    }),
    fault("paging.id-empty", "The server ignores an empty filter by id.", &["pages.filter.id-bounds"])
        .request(|request, _| {
            for name in ["website_id", "article_id"] {
                if single(request, name).is_some_and(|id| id.is_empty()) {
                    request.remove_parameter(name);
                }
            }
        })
        .response(link_as_asked),
];

fn reread_ids(request: &mut Request, read: fn(&str) -> Option<String>) {
    for name in ["website_id", "article_id"] {
        reread(request, name, read);
    }
}

fn last_counts(request: &mut Request) {
    if !is_page(request) {
        return;
    }
    let pairs = request.parameters();
    let is_last = |at: usize| !pairs[at + 1..].iter().any(|(name, _)| *name == pairs[at].0);
    let kept: Vec<_> = (0..pairs.len()).filter(|at| is_last(*at)).map(|at| pairs[at].clone()).collect();
    if kept.len() < pairs.len() {
        request.set_parameters(&kept);
    }
}

/// A page token counts as a filter, because it contains filters.
fn first_filter_counts(request: &mut Request) {
    if !is_page(request) {
        return;
    }
    let pairs = request.parameters();
    let is_first = |at: usize| !pairs[..at].iter().any(|(name, _)| *name == pairs[at].0);
    let kept: Vec<_> =
        (0..pairs.len()).filter(|at| is_first(*at) || pairs[*at].0 == "limit").map(|at| pairs[at].clone()).collect();
    if kept.len() < pairs.len() {
        request.set_parameters(&kept);
    }
}

async fn unknown_refused(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let request = &exchange.request;
    if !request.operation().is_some_and(Operation::is_list) || !response.is_success() {
        return response;
    }
    let is_known = |name: &str| ["limit", "page_token"].contains(&name) || filters_of(request).contains(&name);
    match request.parameters().iter().find(|(name, _)| !is_known(name)) {
        Some((name, _)) => refuse(&response, request, name, "it is unknown"),
        None => response,
    }
}
