//! `Idempotency-Key`.

pub(super) mod concurrent;
pub(super) mod key;
pub(super) mod keys;
pub(super) mod mismatch;
pub(super) mod order;
pub(super) mod refused;
pub(super) mod replay;
