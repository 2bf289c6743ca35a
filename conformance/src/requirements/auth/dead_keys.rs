//! Revoked and expired keys.

use serde_json::Value;

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Capability, Cases, Context, Credential, Requirement, Source};
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

const REVOKED: &[Capability] = &[Capability::REVOKED_KEY];

const EXPIRED: &[Capability] = &[Capability::EXPIRED_KEY];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "auth.revoked-key.refused",
            "Every operation refuses a revoked key with 401 invalid_credentials and error=\"invalid_token\" in WWW-Authenticate.",
            REFUSED,
            async |context: Context, case: Value| dead_keys::refused(&context, Credential::Revoked, &case).await,
        )
        .needs(REVOKED)
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::new(
            "auth.revoked-key.one-text",
            "The refusal of a revoked key has the same type, title and detail as the refusal of an unknown key.",
            ONE_TEXT,
            async |context: Context, _| dead_keys::refused_like_unknown(&context, Credential::Revoked).await,
        )
        .needs(REVOKED),
        Requirement::new(
            "auth.expired-key.refused",
            "Every operation refuses an expired key with 401 invalid_credentials and error=\"invalid_token\" in WWW-Authenticate.",
            REFUSED,
            async |context: Context, case: Value| dead_keys::refused(&context, Credential::Expired, &case).await,
        )
        .needs(EXPIRED)
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::new(
            "auth.expired-key.one-text",
            "The refusal of an expired key has the same type, title and detail as the refusal of an unknown key.",
            ONE_TEXT,
            async |context: Context, _| dead_keys::refused_like_unknown(&context, Credential::Expired).await,
        )
        .needs(EXPIRED),
    ]
}
