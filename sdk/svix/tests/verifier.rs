//! What the SDK's tests hold against the library of Standard Webhooks is held against svix here: the same properties.

/// The other verifier.
mod other {
    pub(crate) use svix::webhooks::Webhook;
}

#[path = "../../tests/client/other_verifiers.rs"]
mod other_verifiers;
