//! Faults in the form and media type of a refusal.

use super::super::fault::{Fault, fault};

pub(super) const FAULTS: &[Fault] =
    &[
        fault("problems.plain-json", "Problems have the media type application/json.", &["problems.body.media-type"])
            .response(|response, _, _| {
                if response.code().is_some() {
                    response.set("content-type", "application/json");
                }
            }),
        fault("problems.text", "Problems are plain text.", &["problems.body.media-type", "problems.body.schema"])
            .response(|response, _, _| {
                if response.code().is_some() {
                    let detail = response.text("/detail").unwrap_or_default();
                    response.set_body("text/plain; charset=utf-8", detail);
                }
            }),
        fault("problems.cacheable", "Caches may store problems.", &["problems.cache.no-store"]).response(
            |response, _, _| {
                if response.status >= 400 {
                    response.set("cache-control", "max-age=60");
                }
            },
        ),
        fault("problems.not-found-empty", "An unknown job gets 404 without a body.", &["jobs.unknown.not-found"])
            .response(|response, _, _| {
                if response.code().is_some_and(|code| code == "job_not_found") {
                    response.body.clear();
                    response.remove("content-type");
                }
            }),
    ];
