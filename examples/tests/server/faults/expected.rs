//! What the faults before the API should lead to, by the area of the catalogue and, where a row says more, by the row. A call whose
//! exchanges a fault did not touch leads to what is true, whatever stands here.

use contentgen_faults::catalogue::Fault;
use contentgen_sdk::ErrorKind::{self, Api, Generation, Timeout, Transport, UnexpectedResponse, WaitTimeout};

use super::reading::Call::{self, Articles, Cancel, Generate, Lead, Leads, Posts, UnknownLead, Websites, WrongKey};

/// What a call should lead to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    /// To what the server holds, or to the refusal that it gives.
    True,
    /// To that without a member, which came in a form that no reader understands.
    Lacks(&'static str),
    /// To the refusal that the server gives, by kind and status.
    Refused,
    /// To an error of one of these kinds.
    Fails(&'static [ErrorKind]),
    /// To what the server holds, or to an error.
    TrueOrFails(&'static [ErrorKind]),
    /// To whatever the fault says in the form of the document, which no caller can know to be wrong, or to an error.
    Otherwise(&'static [ErrorKind]),
}

use Expected::{Fails, Lacks, Otherwise, Refused, True, TrueOrFails};

/// What a fault should lead to in a call that it touched.
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

/// Whether a fault has a row, and so must have touched something; what comes into the same millisecond is chance.
pub(super) fn has_row(fault: Fault) -> bool {
    ROWS.iter().any(|(name, _, _)| *name == fault.name && !name.starts_with("outside.ties-"))
}

/// By area, where not everything leads to what is true: what such a server says has its right form, and no caller can know that it
/// is wrong.
const AREAS: &[(&str, &[Call], Expected)] = &[
    // Of the text of articles, and what is counted in it.
    ("article", &[Generate, Articles, Posts], Otherwise(&[])),
    // Who asks with a wrong key may be refused in another way, or be let in.
    ("auth", &[WrongKey], Otherwise(&[Api])),
    // Of leads, as they were kept or are shown.
    ("leads", &[Leads, Lead], Otherwise(&[])),
    // Of what is on which page.
    ("paging", &[Articles, Leads, Posts, Websites], Otherwise(&[])),
    // A refusal is one, whatever is said about it.
    ("problems", &[], Refused),
    // Of where articles and their entries stand.
    ("state", &[Articles, Posts], Otherwise(&[])),
];

/// By row, for the calls that are named or for all of them.
const ROWS: &[(&str, &[Call], Expected)] = &[
    // A service of the core profile has other operations, names and refusals.
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
    // A server that forgets the key of an order, and what it says of the repeat.
    ("idempotency.ignored", &[Generate], Otherwise(&[])),
    // Answers without what every caller needs, or in another form.
    ("contract.job-id-as-id", &[Generate], Fails(&[UnexpectedResponse])),
    ("contract.job-id-number", &[Generate], Fails(&[UnexpectedResponse])),
    ("contract.bare-array", &[Websites], Fails(&[UnexpectedResponse])),
    ("contract.website-names", &[Websites], Fails(&[UnexpectedResponse])),
    ("contract.leads-no-consent", &[Leads], Fails(&[UnexpectedResponse])),
    ("contract.post-no-status", &[Posts], Fails(&[UnexpectedResponse])),
    // Of an article every member may be absent, and one that cannot be read counts as absent.
    ("contract.words-text", &[Generate], Lacks("word_count")),
    ("contract.no-outline", &[Generate], Lacks("outline")),
    // `null` stands for an empty list or map.
    ("contract.tags-null", &[Articles], Lacks("tags")),
    ("contract.fields-null", &[Lead], Lacks("fields")),
    // Other times in the right form.
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
    ("outside.links-to-itself", &[Generate], Otherwise(&[])),
    // Walks that would have no end.
    ("outside.websites-first-page", &[Websites], Fails(&[UnexpectedResponse])),
    ("paging.always-more", &[Articles, Leads, Posts, Websites], Fails(&[UnexpectedResponse])),
    ("paging.inclusive", &[Leads, Websites], Fails(&[UnexpectedResponse])),
    // Two orders are made at once, and may come into the same millisecond.
    ("outside.ties-skipped", &[Articles, Leads, Posts, Websites], Otherwise(&[])),
    ("outside.ties-upwards", &[Articles, Leads, Posts, Websites], Otherwise(&[])),
    ("state.always-published", &[Generate], Otherwise(&[])),
    ("state.every-job-fails", &[Generate], Fails(&[Generation])),
    ("state.pause-unlisted", &[Websites], Otherwise(&[])),
    ("state.draft-with-url", &[Generate], Otherwise(&[])),
    ("state.cancel-is-404", &[Cancel], Fails(&[Api])),
    ("state.cancel-completed", &[Cancel], Otherwise(&[])),
    // An article whose answers always break off is waited for to the end of the wait: they might arrive the next time.
    ("transport.body-cut", &[Generate], Fails(&[WaitTimeout])),
    ("transport.body-stalls", &[Lead], Fails(&[Timeout])),
    ("transport.length-in-characters", &[], Fails(&[Transport])),
    ("transport.garbage", &[Leads, Lead, UnknownLead], Fails(&[Transport])),
    ("transport.headers-endless", &[Posts], Fails(&[Transport])),
    ("transport.no-answer", &[Cancel], Fails(&[Transport])),
];
