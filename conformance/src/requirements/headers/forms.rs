//! Forms of headers: one requirement for each header.

use http::HeaderMap;

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::header_fields::{joined, quota_name, quota_number, quotas};
use crate::check::{Exchange, Facts, Finding, Requirement, Source};
use crate::spec::Document;
use crate::steps::header_forms::{
    cache, challenge, http_date, keeps_form, links, methods, policies, preferences, reference, replayed, seconds,
    strong_tag,
};
use crate::steps::observing::call_each_operation;

const CHALLENGE: &[Source] = &[
    Sentence("How to authorise."),
    Part("/components/securitySchemes/platform_key/scheme"),
    Standard("RFC 6750", "3"),
    Standard("RFC 9110", "11.6.1"),
];

const CONTENT_LOCATION: &[Source] = &[
    Sentence("Canonical address of the article."),
    Part("/components/headers/Content-Location/schema/format"),
    Standard("RFC 9110", "8.7"),
];

const ETAG: &[Source] = &[
    Sentence("Strong validator of this representation."),
    Part("/components/headers/ETag/required"),
    Part("/components/headers/ETag/schema/minLength"),
    Standard("RFC 9110", "8.8.3"),
];

const LAST_MODIFIED: &[Source] = &[
    Sentence("When the article last changed, as an HTTP date."),
    Standard("RFC 9110", "5.6.7"),
    Standard("RFC 9110", "8.8.2"),
];

const LOCATION: &[Source] = &[
    Sentence("Address of the job, relative to the request's address."),
    Part("/components/headers/Location/required"),
    Standard("RFC 9110", "10.2.2"),
];

const QUOTA_CLAUSE: &str = "RateLimit is a list of \"name\";r=remaining;t=seconds. Both are whole numbers of at least 0, and t is at most the window w of the policy with that name.";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        keeps_form(
            "headers.allow.methods",
            "allow",
            methods,
            "Allow is a list of methods.",
            &[Sentence("Methods of this path."), Standard("RFC 9110", "10.2.1")],
        ),
        keeps_form(
            "headers.cache.private",
            "cache-control",
            cache,
            "Cache-Control keeps responses out of shared caches: no-store, or private with no-cache.",
            &[Sentence(
                "`private, no-cache` with an `ETag`; `no-store` or `private, no-cache` for successes of cancel and of lists other than leads; `no-store` in all other responses, also in errors.",
            )],
        ),
        keeps_form(
            "headers.challenge.bearer",
            "www-authenticate",
            challenge,
            "WWW-Authenticate is a list of challenges, one of them with the scheme Bearer.",
            CHALLENGE,
        ),
        keeps_form(
            "headers.content-location.reference",
            "content-location",
            reference,
            "Content-Location is a URI reference.",
            CONTENT_LOCATION,
        ),
        keeps_form(
            "headers.etag.strong",
            "etag",
            strong_tag,
            "ETag is one strong validator in double quotes, with at least one character between them.",
            ETAG,
        ),
        keeps_form(
            "headers.last-modified.date",
            "last-modified",
            http_date,
            "Last-Modified is an HTTP date in GMT.",
            LAST_MODIFIED,
        ),
        keeps_form(
            "headers.link.next",
            "link",
            links,
            "Link, which has the address of the next page, is a list of <reference>; rel=\"…\".",
            &[Sentence("Address of the next page with `rel=\"next\"`, if there is one."), Standard("RFC 8288", "3")],
        ),
        keeps_form("headers.location.reference", "location", reference, "Location is a URI reference.", LOCATION),
        keeps_form(
            "headers.preference.form",
            "preference-applied",
            preferences,
            "Preference-Applied is a list of preferences: name or name=value.",
            &[Sentence("The preferences of `Prefer` that the server applied."), Standard("RFC 7240", "3")],
        ),
        keeps_form(
            "headers.quota-policy.form",
            "ratelimit-policy",
            policies,
            "RateLimit-Policy is a list of \"name\";q=quota;w=window, and each window has at least a second.",
            &[
                Sentence("Quotas of this key and operation, as `\"name\";q=quota;w=window in seconds`."),
                Standard("draft-ietf-httpapi-ratelimit-headers-11", "3"),
            ],
        ),
        keeps_form(
            "headers.replayed.true",
            "idempotency-replayed",
            replayed,
            "If Idempotency-Replayed is sent, its value is true.",
            &[
                Sentence("`true` if this response repeats an earlier one."),
                Part("/components/headers/Idempotency-Replayed/schema/enum"),
            ],
        ),
        keeps_form(
            "headers.retry-after.seconds",
            "retry-after",
            seconds,
            "Retry-After is a whole number of seconds, at least 1.",
            &[Sentence("Seconds to wait before the next call."), Part("/components/headers/Retry-After/schema")],
        ),
        Requirement::new(
            "headers.quota.form",
            QUOTA_CLAUSE,
            &[
                Sentence("Rest of the quota, as `\"name\";r=remaining;t=seconds until it is full again`."),
                Sentence("`t` is at most the window of the policy."),
                Standard("draft-ietf-httpapi-ratelimit-headers-11", "4"),
            ],
            call_each_operation,
        )
        .observing(quota_form),
    ]
}

fn quota_form(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let operation = document.operation(exchange.request.operation?)?;
    operation.answer_header(exchange.status, "ratelimit")?;
    exchange.headers.contains_key("ratelimit").then_some(())?;
    Some(quota_fault(&exchange.headers).map_or(Ok(()), |fault| {
        Err(Finding::new(QUOTA_CLAUSE.trim_end_matches('.'), format!("{fault} in {}", exchange.line())))
    }))
}

/// Returns the first fault of the quotas in a response.
fn quota_fault(headers: &HeaderMap) -> Option<String> {
    let Some(rests) = quotas(&joined(headers, "ratelimit")) else {
        return Some("not a list of strings with parameters".to_owned());
    };
    let policies = quotas(&joined(headers, "ratelimit-policy")).unwrap_or_default();
    rests.iter().find_map(|rest| {
        let name = quota_name(rest);
        if quota_number(rest, "r").is_none() {
            return Some(format!("r of {name:?} is not a whole number of at least 0"));
        }
        let seconds = quota_number(rest, "t");
        if rest.params.contains_key("t") && seconds.is_none() {
            return Some(format!("t of {name:?} is not a whole number of at least 0"));
        }
        let policy = policies.iter().find(|policy| quota_name(policy) == name);
        let (seconds, window) = (seconds?, quota_number(policy?, "w")?);
        (seconds > window).then(|| format!("t={seconds} of {name:?}, which has the window w={window}"))
    })
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};

    use super::quota_fault;

    fn headers(quotas: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("ratelimit-policy", HeaderValue::from_static("\"a\";q=10;w=60, \"b\";q=5;w=1"));
        headers.insert("ratelimit", HeaderValue::from_static(quotas));
        headers
    }

    #[test]
    fn quotas_have_whole_numbers_and_a_time_within_their_window() {
        for right in ["\"a\";r=9;t=60", "\"b\";r=0;t=0", "\"a\";r=9", "\"a\";r=1;t=7, \"b\";r=1;t=1", "\"c\";r=1;t=900"]
        {
            assert_eq!(quota_fault(&headers(right)), None, "{right}");
        }
        for wrong in ["\"a\";r=9;t=61", "\"a\";r=9;t=-1", "\"a\";r=9;t=1.5", "\"a\";t=1", "a;r=1", "\"b\";r=1;t=2", "9"]
        {
            assert!(quota_fault(&headers(wrong)).is_some(), "{wrong}");
        }
    }
}
