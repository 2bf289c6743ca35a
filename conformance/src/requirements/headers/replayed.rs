//! `Idempotency-Replayed` of an answer.

use crate::check::Requirement;
use crate::steps::header_forms::{keeps_form, replayed};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.replayed.true",
        "idempotency-replayed",
        replayed,
        "Idempotency-Replayed, where it is sent, has the value true.",
        "openapi.yaml, Idempotency-Replayed",
    )]
}
