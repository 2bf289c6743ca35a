//! Facts of the document about an operation. The table of all operations is generated.

use std::ops::RangeInclusive;

use reqwest::Method;

/// An operation of the document.
#[derive(Debug)]
pub(crate) struct Operation {
    /// Name in the document, in errors and in tracing.
    pub(crate) id: &'static str,
    pub(crate) method: Method,
    /// Path after the base URL, with `{name}` for each id.
    pub(crate) path: &'static str,
    pub(crate) key: KeyUse,
    /// True if the operation may be repeated, although its method does not promise that.
    pub(crate) is_repeatable: bool,
    /// True if the document says that the server keeps idempotency keys for this operation. What responses show about keys counts only for
    /// such operations, and only responses of documented operations count.
    pub(crate) keeps_idempotency_keys: bool,
    /// Statuses of a success.
    pub(crate) successes: RangeInclusive<u16>,
}

/// Use of the client's API key by an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyUse {
    /// The operation fails without a key.
    Required,
    /// The key is sent if the client has one.
    IfPresent,
    /// The key is never sent.
    Never,
}

/// A request outside the document.
pub(crate) static CUSTOM: Operation = Operation {
    id: "request",
    method: Method::GET,
    path: "",
    key: KeyUse::IfPresent,
    is_repeatable: false,
    keeps_idempotency_keys: false,
    successes: 200..=299,
};

impl Operation {
    /// Returns true for an operation of the document. Responses of other paths show nothing about `generate`.
    pub(crate) fn is_documented(&self) -> bool {
        self.id != CUSTOM.id
    }
}
