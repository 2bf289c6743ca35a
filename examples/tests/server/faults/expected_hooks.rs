//! Expected outcomes at a webhook receiver, by row of the catalogue. Without a row, the signature is valid and the event matches the
//! server's data.

use contentgen_faults::catalogue::Fault;
use contentgen_sdk::webhook::VerifyError::{self, InvalidHeader, MissingHeader, NoMatchingSignature};

/// Subject of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    Lead,
    Article,
}

/// Expected outcome for a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// The signature is valid, and the event matches the server's data.
    True,
    /// The signature is valid. The event matches the API's schema, but may differ from the server's data.
    Otherwise,
    /// The signature is valid, but the event lacks a field.
    Lacks(&'static str),
    /// The signature is valid, but the event type is unknown.
    Unknown,
    /// The verifier returns this error.
    Refused(VerifyError),
    /// The webhook does not arrive.
    Unsent,
}

use About::{Article, Lead};
use Expected::{Lacks, Otherwise, Refused, True, Unknown, Unsent};

const ID: &str = "webhook-id";
const TIMESTAMP: &str = "webhook-timestamp";

/// Returns the expected outcome for a webhook that a fault may have changed.
pub(super) fn expected(fault: Fault, about: About) -> Expected {
    let is_row = |(name, of, _): &&(&str, &[About], Expected)| *name == fault.name && of.contains(&about);
    match ROWS.iter().find(is_row) {
        Some((_, _, expected)) => *expected,
        // The faults of this area change leads.
        None if fault.area() == "leads" && about == Lead => Otherwise,
        None => True,
    }
}

const BOTH: &[About] = &[Lead, Article];

const ROWS: &[(&str, &[About], Expected)] = &[
    ("hooks.signed-rewritten", BOTH, Refused(NoMatchingSignature)),
    ("hooks.signed-hex", BOTH, Refused(NoMatchingSignature)),
    ("hooks.signed-without-id", BOTH, Refused(NoMatchingSignature)),
    ("hooks.signed-without-time", BOTH, Refused(NoMatchingSignature)),
    ("hooks.signed-with-text", BOTH, Refused(NoMatchingSignature)),
    ("hooks.time-in-millis", BOTH, Refused(InvalidHeader(TIMESTAMP))),
    ("hooks.time-iso", BOTH, Refused(InvalidHeader(TIMESTAMP))),
    ("hooks.no-id", BOTH, Refused(MissingHeader(ID))),
    ("hooks.id-with-dot", BOTH, Refused(InvalidHeader(ID))),
    ("hooks.id-of-70", BOTH, Refused(InvalidHeader(ID))),
    ("hooks.lead-unsent", &[Lead], Unsent),
    ("hooks.article-unsent", &[Article], Unsent),
    ("hooks.one-type", BOTH, Unknown),
    ("hooks.no-api-version", BOTH, Lacks("api_version")),
    ("hooks.flat-data", &[Lead], Lacks("lead")),
    ("hooks.text-latin", BOTH, Otherwise),
    ("hooks.text-cut", &[Lead], Otherwise),
    ("hooks.source-untold", &[Lead], Otherwise),
    ("hooks.article-before", &[Article], Otherwise),
    ("hooks.slug-anew", &[Article], Otherwise),
    ("hooks.excerpt-cut", &[Article], Otherwise),
    ("hooks.tags-untold", &[Article], Otherwise),
    ("article.created-when-published", &[Article], Otherwise),
    ("outside.articles-signed-without-id", &[Article], Refused(NoMatchingSignature)),
    ("outside.event-fields-10", &[Lead], Otherwise),
    ("benign.ids-upper", BOTH, Otherwise),
    ("benign.ids-long", BOTH, Otherwise),
    ("benign.ids-encoded", BOTH, Otherwise),
    ("benign.ids-per-table", BOTH, Otherwise),
    ("benign.hook-odd-fields", BOTH, Otherwise),
    ("benign.unknown-words", BOTH, Otherwise),
    ("benign.url-other", BOTH, Otherwise),
    ("benign.word-count-near", BOTH, Otherwise),
];

/// Validity of a webhook's signature after a rotation, for each of the two secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rotation {
    pub(super) former: bool,
    pub(super) new: bool,
}

/// Returns the expected validity after a rotation, if the fault concerns secrets or signatures.
pub(super) fn after_rotation(fault: Fault) -> Option<Rotation> {
    let (former, new) = match fault.name {
        "hooks.former-dropped" => (false, true),
        "hooks.former-only" => (true, false),
        "benign.two-signatures" | "outside.retry-with-former" | "hooks.secret-short" => (true, true),
        name if name.starts_with("hooks.signed-") => (false, false),
        _ => return None,
    };
    Some(Rotation { former, new })
}

/// Returns true if webhooks arrive so late that a strict receiver refuses them.
pub(super) fn is_leisurely(fault: Fault) -> bool {
    fault.name == "hooks.leisurely"
}
