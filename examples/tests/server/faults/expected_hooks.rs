//! What the faults behind the server should lead to at a receiver, by the rows of the catalogue. Where none stands here, the signature
//! fits and the event says what the server holds.

use contentgen_faults::catalogue::Fault;
use contentgen_sdk::webhook::VerifyError::{self, InvalidHeader, MissingHeader, NoMatchingSignature};

/// What a hook is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    Lead,
    Article,
}

/// What should become of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// It is verified, and says what the server holds.
    True,
    /// It is verified, and says something else in the form of the document.
    Otherwise,
    /// It is verified, and its event lacks a member.
    Lacks(&'static str),
    /// It is verified, and its event is of no kind of the document.
    Unknown,
    /// It is refused.
    Refused(VerifyError),
    /// It does not come.
    Unsent,
}

use About::{Article, Lead};
use Expected::{Lacks, Otherwise, Refused, True, Unknown, Unsent};

const ID: &str = "webhook-id";
const TIMESTAMP: &str = "webhook-timestamp";

/// What should become of a hook that a fault may have changed.
pub(super) fn expected(fault: Fault, about: About) -> Expected {
    let is_row = |(name, of, _): &&(&str, &[About], Expected)| *name == fault.name && of.contains(&about);
    match ROWS.iter().find(is_row) {
        Some((_, _, expected)) => *expected,
        // What is wrong there are leads.
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

/// Which secret fits a hook after a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rotation {
    pub(super) former: bool,
    pub(super) new: bool,
}

/// What fits after a rotation, where the fault is about secrets or signatures.
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

/// Whether hooks come so late that a strict receiver refuses them.
pub(super) fn is_leisurely(fault: Fault) -> bool {
    fault.name == "hooks.leisurely"
}
