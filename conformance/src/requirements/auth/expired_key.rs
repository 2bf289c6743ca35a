//! A key that has expired.

use serde_json::Value;

use crate::check::{Capability, Cases, Context, Credential, Requirement, Verdict};
use crate::steps::{dead_keys, operations};

const SOURCE: &str = "openapi.yaml, x-problem-codes, invalid_credentials";

const KEY: &[Capability] = &[Capability::EXPIRED_KEY];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.expired-key.refused",
            "A key that has expired is refused by every operation: 401 invalid_credentials.",
            SOURCE,
            refused,
        )
        .needs(KEY)
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::must(
            "auth.expired-key.one-text",
            "One code and one text for all of these: a key that has expired is refused in the words for one that never was.",
            SOURCE,
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
