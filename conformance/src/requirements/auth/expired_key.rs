//! An expired key.

use serde_json::Value;

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Capability, Cases, Context, Credential, Requirement, Source, Verdict};
use crate::steps::{dead_keys, operations};

const REFUSED: &[Source] = &[
    Part("/x-problem-codes/invalid_credentials/status"),
    Sentence("The key is malformed, unknown, revoked or expired."),
    Sentence("If the key was refused, `error` has the reason."),
    Standard("RFC 6750", "3.1"),
];

const ONE_TEXT: &[Source] = &[
    Sentence("The key is malformed, unknown, revoked or expired."),
    Sentence("The response does not say which: `type`, `title` and `detail` are the same for all of them."),
];

const KEY: &[Capability] = &[Capability::EXPIRED_KEY];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "auth.expired-key.refused",
            "Every operation refuses an expired key with 401 invalid_credentials and error=\"invalid_token\" in WWW-Authenticate.",
            REFUSED,
            refused,
        )
        .needs(KEY)
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::new(
            "auth.expired-key.one-text",
            "The refusal of an expired key has the same type, title and detail as the refusal of an unknown key.",
            ONE_TEXT,
            one_text,
        )
        .needs(KEY),
    ]
}

async fn refused(context: Context, case: Value) -> Verdict {
    dead_keys::refused(&context, Credential::Expired, &case).await
}

async fn one_text(context: Context, _: Value) -> Verdict {
    dead_keys::refused_like_unknown(&context, Credential::Expired).await
}
