//! Expected outcomes for faults of the API, by row of the catalogue or else by area. If a fault did not change any exchange of a
//! call, the expected outcome is the true one.

use contentgen_faults::catalogue::Fault;
use contentgen_sdk::ErrorKind::{self, Api, Generation, Timeout, Transport, UnexpectedResponse, WaitTimeout};

use super::reading::Call::{self, Articles, Cancel, Generate, Lead, Leads, Posts, UnknownLead, Websites, WrongKey};

/// Expected outcome of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    /// The same outcome as without the proxy: the server's data or its error.
    True,
    /// The server's data without a field, because the SDK cannot read the field's form.
    Lacks(&'static str),
    /// An error with the same kind and status as the server's.
    Refused,
    /// An error of one of these kinds.
    Fails(&'static [ErrorKind]),
    /// The same outcome as without the proxy, or an error of one of these kinds.
    TrueOrFails(&'static [ErrorKind]),
    /// Any data that matches the API's schema, because a client cannot detect that it is wrong, or an error of one of these kinds.
    Otherwise(&'static [ErrorKind]),
}

use Expected::{Fails, Lacks, Otherwise, Refused, True, TrueOrFails};

/// Returns the expected outcome of a call whose exchanges a fault has changed.
pub(super) fn expected(fault: Fault, call: Call) -> Expected {
    let is_row = |(name, calls, _): &&(&str, &[Call], Expected)| {
        *name == fault.name && (calls.is_empty() || calls.contains(&call))
    };
    let is_area = |(area, calls, _): &&(&str, &[Call], Expected)| {
        *area == fault.area() && (calls.is_empty() || calls.contains(&call))
    };
    let found = ROWS.iter().find(is_row).or_else(|| AREAS.iter().find(is_area));
    found.map_or(True, |(_, _, expected)| *expected)
}

/// Returns true if a fault has a row, and so must change some exchange. The `outside.ties-` faults depend on chance: they need two
/// records of the same millisecond.
pub(super) fn has_row(fault: Fault) -> bool {
    ROWS.iter().any(|(name, _, _)| *name == fault.name && !name.starts_with("outside.ties-"))
}

/// Expected outcomes by area. Most of these responses match the API's schema, so that a client cannot detect that they are wrong.
const AREAS: &[(&str, &[Call], Expected)] = &[
    // The text of articles, and its word counts.
    ("article", &[Generate, Articles, Posts], Otherwise(&[])),
    // A client with a wrong key may get another error, or access.
    ("auth", &[WrongKey], Otherwise(&[Api])),
    // Leads that the server stores or shows wrongly.
    ("leads", &[Leads, Lead], Otherwise(&[])),
    // The items on each page.
    ("paging", &[Articles, Leads, Posts, Websites], Otherwise(&[])),
    // An error remains an error, whatever its body says.
    ("problems", &[], Refused),
    // The status of articles and scheduled posts.
    ("state", &[Articles, Posts], Otherwise(&[])),
];

/// Expected outcomes by row, for the listed calls. An empty list means all calls.
const ROWS: &[(&str, &[Call], Expected)] = &[
    // A server of the core profile has other operations, names and errors.
    ("benign.documented-only", &[Articles, Leads, Posts, Websites, Lead, UnknownLead, Cancel, WrongKey], Fails(&[Api])),
    ("benign.bare-article", &[Generate], Otherwise(&[])),
    ("benign.errors-400", &[], Fails(&[Api])),
    ("benign.errors-empty", &[], Refused),
    ("benign.errors-html", &[], Refused),
    ("benign.keys-403", &[WrongKey], Fails(&[Api])),
    ("benign.extra-members", &[], Otherwise(&[])),
    ("benign.ids-upper", &[], Otherwise(&[Api])),
    ("benign.ids-long", &[], Otherwise(&[Api])),
    ("benign.ids-encoded", &[], Otherwise(&[Api])),
    ("benign.ids-per-table", &[], Otherwise(&[Api])),
    ("benign.faq-statements", &[], Otherwise(&[])),
    ("benign.html-aligned", &[], Otherwise(&[])),
    ("benign.html-anchors", &[], Otherwise(&[])),
    ("benign.html-data-image", &[], Otherwise(&[])),
    ("benign.html-entities", &[], Otherwise(&[])),
    ("benign.html-spelled", &[], Otherwise(&[])),
    ("benign.html-wrapped", &[], Otherwise(&[])),
    ("benign.json-ld-nodes", &[], Otherwise(&[])),
    ("benign.markdown-autolink", &[], Otherwise(&[])),
    ("benign.markdown-code", &[], Otherwise(&[])),
    ("benign.markdown-references", &[], Otherwise(&[])),
    ("benign.markdown-setext", &[], Otherwise(&[])),
    ("benign.odd-fields", &[], Otherwise(&[])),
    ("benign.other-writer", &[], Otherwise(&[])),
    ("benign.post-lags", &[], Otherwise(&[])),
    ("benign.sparse-records", &[], Otherwise(&[])),
    ("benign.unknown-words", &[], Otherwise(&[])),
    ("benign.word-count-near", &[], Otherwise(&[])),
    ("benign.failing-jobs", &[Generate], TrueOrFails(&[Generation])),
    // Bytes that are not UTF-8, if the excerpt has a character beyond ASCII.
    ("article.excerpt-in-bytes", &[Generate], TrueOrFails(&[UnexpectedResponse])),
    // A server that ignores the idempotency key, and responds to the repeated request in another way.
    ("idempotency.ignored", &[Generate], Otherwise(&[])),
    // Responses without a required field, or with a field in another form.
    ("contract.job-id-as-id", &[Generate], Fails(&[UnexpectedResponse])),
    ("contract.job-id-number", &[Generate], Fails(&[UnexpectedResponse])),
    ("contract.bare-array", &[Websites], Fails(&[UnexpectedResponse])),
    ("contract.website-names", &[Websites], Fails(&[UnexpectedResponse])),
    ("contract.leads-no-consent", &[Leads], Fails(&[UnexpectedResponse])),
    ("contract.post-no-status", &[Posts], Fails(&[UnexpectedResponse])),
    // Every field of an article is optional. A field that the SDK cannot read counts as absent.
    ("contract.words-text", &[Generate], Lacks("word_count")),
    ("contract.no-outline", &[Generate], Lacks("outline")),
    // The SDK reads `null` as an empty list or map.
    ("contract.tags-null", &[Articles], Lacks("tags")),
    ("contract.fields-null", &[Lead], Lacks("fields")),
    // Wrong times in the right form.
    ("contract.article-times-local", &[Generate, Articles], Otherwise(&[])),
    ("contract.second-times", &[], Otherwise(&[])),
    ("http.emoji-breaks", &[Generate], Fails(&[Api])),
    ("http.quote-breaks", &[Generate], Fails(&[Api])),
    ("http.slow-queue", &[Generate], Fails(&[Timeout])),
    ("leads.unknown-is-empty", &[UnknownLead], Fails(&[UnexpectedResponse])),
    ("leads.unknown-is-400", &[UnknownLead], Fails(&[Api])),
    // The HTML of an article, and its links.
    ("outside.handler-behind-slash", &[Generate], Otherwise(&[])),
    ("outside.colon-by-name", &[Generate], Otherwise(&[])),
    ("outside.reference-without-semicolon", &[Generate], Otherwise(&[])),
    ("outside.tab-within-scheme", &[Generate], Otherwise(&[])),
    ("outside.canonical-of-draft", &[Generate], Otherwise(&[])),
    // Lists whose pages never end.
    ("outside.websites-first-page", &[Websites], Fails(&[UnexpectedResponse])),
    ("paging.always-more", &[Articles, Leads, Posts, Websites], Fails(&[UnexpectedResponse])),
    ("paging.inclusive", &[Leads, Websites], Fails(&[UnexpectedResponse])),
    // Two articles are queued at once, and may get the same millisecond.
    ("outside.ties-skipped", &[Articles, Leads, Posts, Websites], Otherwise(&[])),
    ("outside.ties-upwards", &[Articles, Leads, Posts, Websites], Otherwise(&[])),
    ("state.always-published", &[Generate], Otherwise(&[])),
    ("state.every-job-fails", &[Generate], Fails(&[Generation])),
    ("state.pause-unlisted", &[Websites], Otherwise(&[])),
    ("state.draft-with-url", &[Generate], Otherwise(&[])),
    ("state.cancel-is-404", &[Cancel], Fails(&[Api])),
    ("state.cancel-completed", &[Cancel], Otherwise(&[])),
    // If the responses for an article always break off, the SDK retries until the wait ends.
    ("transport.body-cut", &[Generate], Fails(&[WaitTimeout])),
    ("transport.body-stalls", &[Lead], Fails(&[Timeout])),
    ("transport.length-in-characters", &[], Fails(&[UnexpectedResponse])),
    ("transport.garbage", &[Leads, Lead, UnknownLead], Fails(&[Transport])),
    ("transport.headers-endless", &[Posts], Fails(&[Transport])),
    ("transport.no-answer", &[Cancel], Fails(&[Transport])),
];
