//! `Idempotency-Replayed` of an answer.

use crate::check::Requirement;
use crate::steps::header_forms::{keeps_form, replayed};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.replayed.true",
        "idempotency-replayed",
        replayed,
        "Idempotency-Replayed is true where it stands.",
        "openapi.yaml, Idempotency-Replayed",
    )]
}
