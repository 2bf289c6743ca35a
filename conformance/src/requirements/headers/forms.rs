//! Forms of headers: one requirement for each header.

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Requirement, Source};
use crate::steps::header_forms::{
    cache, challenge, http_date, keeps_form, links, methods, policies, preferences, reference, replayed, seconds,
    strong_tag,
};

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
    ]
}
