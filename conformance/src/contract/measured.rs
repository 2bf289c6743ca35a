//! Measurements of each requirement (`cargo trials costs`): its requests by quota, and the parts of the document that it covers. The
//! parts that no requirement can cover.

use crate::coverage::{Part, PartKind};

/// A line for each requirement and quota: the number of requests of so many cases to the reference server.
pub(super) const COSTS: &str = include_str!("costs.csv");

/// A line for each part of the document that a run against the reference server covers, with some requirements that
/// cover it. A keyword has a line for each side.
pub(super) const COVERAGE: &str = include_str!("coverage.csv");

/// Reason for statuses of malformed HTTP.
const RAW: &str = "malformed HTTP is sent over raw connections (http.raw), whose responses are not counted here";
const LATE_BODY: &str = "needs a body that is not sent for 30 s";
const IN_FLIGHT: &str = "a repeated request may wait for the first response instead";
const FAULT: &str = "would be a fault of the target";
const SHUT_DOWN: &str = "needs a target that shuts down or lost its store";
const NARROW_KEY: &str = "the key of [target.narrow_scope] may read articles";

const SHARED_QUOTA: &str =
    "the quota of lead forms belongs to the suite's network address: using it up would delay other callers";

/// Statuses that no request reliably causes, by operation if it is not any.
const STATUSES: [(&str, &str, &str); 14] = [
    ("get_article", "400", RAW),
    ("get_job", "400", RAW),
    ("cancel_job", "400", RAW),
    ("get_lead", "400", RAW),
    ("get_scheduled_post", "400", RAW),
    ("get_article", "403", NARROW_KEY),
    ("list_articles", "403", NARROW_KEY),
    ("*", "408", LATE_BODY),
    ("generate", "409", IN_FLIGHT),
    ("*", "431", RAW),
    ("capture_lead", "429", SHARED_QUOTA),
    ("confirm_lead", "429", SHARED_QUOTA),
    ("*", "500", FAULT),
    ("*", "503", SHUT_DOWN),
];

/// Problem codes that no request reliably causes.
const CODES: [(&str, &str); 7] = [
    ("generation_failed", "needs a job that fails"),
    ("headers_too_large", RAW),
    ("idempotency_in_flight", IN_FLIGHT),
    ("internal_error", FAULT),
    ("queue_full", "needs more jobs at a time than the suite queues"),
    ("request_timeout", LATE_BODY),
    ("unavailable", SHUT_DOWN),
];

/// Returns the reason why no requirement covers `part`, if known.
pub(super) fn unreachable(part: &Part) -> Option<&'static str> {
    match (part.kind, &part.operation) {
        (PartKind::Status, Some(operation)) => {
            let is_it = |(of, status, _): &&(&str, &str, &str)| (*of == "*" || of == operation) && *status == part.name;
            STATUSES.iter().find(is_it).map(|(_, _, why)| *why)
        }
        (PartKind::ProblemCode, _) => CODES.iter().find(|(code, _)| *code == part.name).map(|(_, why)| *why),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{COSTS, COVERAGE};
    use crate::requirements::catalogue;

    #[test]
    fn measured_costs_name_requirements_that_are_there() {
        let catalogue = catalogue();
        assert!(COSTS.lines().count() > 100);
        for line in COSTS.lines().skip(1) {
            let named = line.split(',').next().unwrap_or_default();
            assert!(catalogue.iter().any(|requirement| requirement.id == named), "{named} is gone: cargo trials costs");
        }
    }

    #[test]
    fn measured_coverage_names_requirements_that_are_there() {
        let catalogue = catalogue();
        assert!(COVERAGE.lines().count() > 100);
        for line in COVERAGE.lines().skip(1) {
            let (_, named) = line.split_once(',').expect("a part and requirements");
            for id in named.split_whitespace() {
                assert!(catalogue.iter().any(|requirement| requirement.id == id), "{id} is gone: cargo trials costs");
            }
        }
    }
}
