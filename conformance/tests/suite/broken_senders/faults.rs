//! Faults of senders, and the requirement that must detect each.

use std::time::Duration;

use serde_json::Value;

use super::sender::SECRET;

/// A webhook that the sender is about to sign and send.
pub(crate) struct Outgoing {
    pub(crate) method: &'static str,
    pub(crate) content_type: &'static str,
    pub(crate) id: String,
    pub(crate) timestamp: i64,
    pub(crate) body: Vec<u8>,
    /// Bytes to sign, `{id}.{timestamp}.{body}` in a correct sender.
    pub(crate) signed: fn(&Outgoing) -> Vec<u8>,
    /// Signing keys. Empty for a sender that does not sign.
    pub(crate) keys: Vec<Vec<u8>>,
    pub(crate) hex: bool,
}

/// A fault of a sender.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is one fault")]
pub(crate) struct Fault {
    pub(crate) caught_by: &'static str,
    /// Changes the webhook before it is signed. `None` drops it.
    pub(crate) spoil: fn(Outgoing, u32) -> Option<Outgoing>,
    /// Decides on a retry after a response with this status: whether to send again, and whether as another event.
    pub(crate) again: fn(u16) -> Option<bool>,
    /// Time limit for a response.
    pub(crate) patience: Duration,
    pub(crate) ignores_wait: bool,
    /// Understands only seconds in `Retry-After`.
    pub(crate) reads_no_date: bool,
    /// Counts a date in `Retry-After` from its own clock.
    pub(crate) uses_own_clock: bool,
    pub(crate) ignores_gone: bool,
    pub(crate) keeps_removed: bool,
    pub(crate) one_secret: bool,
    /// Sends one webhook after the other across all endpoints.
    pub(crate) in_turn: bool,
    /// Reads a response's body to its end.
    pub(crate) reads_all: bool,
    /// Makes the third attempt after a shorter pause than the second.
    pub(crate) hurries: bool,
    /// Signs with only the new secret right after a rotation.
    pub(crate) forgets_former: bool,
    /// Sends a manual redelivery as another event.
    pub(crate) renames: bool,
    pub(crate) takes_private: bool,
    /// Sends over TLS to a server with any certificate.
    pub(crate) trusts_anybody: bool,
}

#[expect(clippy::unnecessary_wraps, reason = "every sender has this type")]
fn right(outgoing: Outgoing, _: u32) -> Option<Outgoing> {
    Some(outgoing)
}

fn retries(status: u16) -> Option<bool> {
    (!(200..300).contains(&status)).then_some(false)
}

fn fault(caught_by: &'static str, spoil: fn(Outgoing, u32) -> Option<Outgoing>) -> Fault {
    Fault {
        caught_by,
        spoil,
        again: retries,
        patience: Duration::from_secs(30),
        ignores_wait: false,
        reads_no_date: false,
        uses_own_clock: false,
        ignores_gone: false,
        keeps_removed: false,
        one_secret: false,
        in_turn: false,
        reads_all: false,
        hurries: false,
        forgets_former: false,
        renames: false,
        takes_private: false,
        trusts_anybody: false,
    }
}

/// Returns a sender without a fault.
pub(crate) fn healthy() -> Fault {
    fault("", right)
}

/// All checks that need only leads and a signed receiver.
pub(crate) const CHECKS: [&str; 13] = [
    "hooks.lead.sent",
    "hooks.lead.burst",
    "hooks.lead.text-survives",
    "hooks.request",
    "hooks.signature",
    "hooks.payload.thin",
    "hooks.payload.one-shape",
    "hooks.retry",
    "hooks.delivery",
    "hooks.registration.own-secret",
    "hooks.registration.private-addresses",
    "hooks.registration.removed",
    "hooks.secret",
];

pub(crate) fn faults() -> Vec<Fault> {
    vec![
        fault("hooks.lead.sent", |_, _| None),
        fault("hooks.lead.burst", |outgoing, number| (number % 7 != 3).then_some(outgoing)),
        fault("hooks.request.json-post", |outgoing, _| Some(Outgoing { method: "PUT", ..outgoing })),
        fault("hooks.request.json-post", |outgoing, _| Some(Outgoing { content_type: "text/plain", ..outgoing })),
        fault("hooks.lead.text-survives", |outgoing, _| {
            let text = String::from_utf8_lossy(&outgoing.body).replace(|letter: char| !letter.is_ascii(), "?");
            Some(Outgoing { body: text.into_bytes(), ..outgoing })
        }),
        fault("hooks.signature.timestamp", |outgoing, _| {
            Some(Outgoing { timestamp: outgoing.timestamp * 1_000, ..outgoing })
        }),
        fault("hooks.signature.timestamp", |outgoing, _| {
            Some(Outgoing { timestamp: outgoing.timestamp - 900, ..outgoing })
        }),
        fault("hooks.signature.verifies", |outgoing, _| Some(Outgoing { hex: true, ..outgoing })),
        fault("hooks.signature.verifies", |outgoing, _| {
            Some(Outgoing { keys: vec![SECRET.as_bytes().to_vec()], ..outgoing })
        }),
        fault("hooks.signature.verifies", |outgoing, _| {
            Some(Outgoing { signed: |hook| hook.body.clone(), ..outgoing })
        }),
        fault("hooks.signature.verifies", |outgoing, _| {
            let signed = |hook: &Outgoing| {
                let value: Value = serde_json::from_slice(&hook.body).unwrap();
                [format!("{}.{}.", hook.id, hook.timestamp).into_bytes(), format!("{value:#}").into_bytes()].concat()
            };
            Some(Outgoing { signed, ..outgoing })
        }),
        fault("hooks.signature.id", |outgoing, _| Some(Outgoing { id: outgoing.id.replace('_', "."), ..outgoing })),
        fault("hooks.signature.id", |outgoing, _| Some(Outgoing { id: "evt_always".to_owned(), ..outgoing })),
        Fault { again: |status| retries(status).map(|_| true), ..fault("hooks.retry.same-event", right) },
        Fault { again: |status| retries(status).map(|_| true), ..fault("hooks.retry.same-bytes", right) },
        Fault {
            again: |status| (status != 204 && status != 200).then_some(false),
            ..fault("hooks.delivery.any-2xx", right)
        },
        Fault { ignores_wait: true, ..fault("hooks.retry.after-wait", right) },
        Fault { ignores_wait: true, ..fault("hooks.retry.after-overload", right) },
        Fault { reads_no_date: true, ..fault("hooks.retry.after-date", right) },
        Fault { uses_own_clock: true, ..fault("hooks.retry.date-of-receiver", right) },
        Fault { patience: Duration::from_secs(5), ..fault("hooks.delivery.slow-answer", right) },
        Fault { one_secret: true, ..fault("hooks.registration.own-secret", right) },
        Fault { keeps_removed: true, ..fault("hooks.registration.removed", right) },
        Fault { ignores_gone: true, ..fault("hooks.delivery.gone", right) },
        Fault { hurries: true, ..fault("hooks.retry.gaps", right) },
        Fault { forgets_former: true, ..fault("hooks.secret.rotation", right) },
        Fault { renames: true, ..fault("hooks.delivery.redelivered", right) },
        Fault { takes_private: true, ..fault("hooks.registration.private-addresses", right) },
        Fault { trusts_anybody: true, ..fault("hooks.delivery.untrusted-certificate", right) },
        Fault { in_turn: true, ..fault("hooks.delivery.hanging", right) },
        Fault { in_turn: true, reads_all: true, ..fault("hooks.delivery.endless", right) },
        fault("hooks.payload.thin", |outgoing, _| {
            let body = [outgoing.body.clone(), b" ".repeat(21 * 1024)].concat();
            Some(Outgoing { body, ..outgoing })
        }),
        fault("hooks.payload.one-shape", |outgoing, number| {
            let text =
                String::from_utf8_lossy(&outgoing.body).replace("\"v1\"", if number == 1 { "1" } else { "\"v1\"" });
            Some(Outgoing { body: text.into_bytes(), ..outgoing })
        }),
        fault("hooks.request.authentic", |outgoing, _| Some(Outgoing { keys: Vec::new(), ..outgoing })),
    ]
}
