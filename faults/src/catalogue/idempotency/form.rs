//! Faults in parsing and comparing idempotency keys.

use super::super::fault::{Fault, fault};
use super::key;
use crate::message::{Operation, Request};

/// Replacement for a header line.
enum Sent {
    AsItIs,
    Key(String),
    /// Value that the server refuses when it checks the header.
    Malformed,
    Nothing,
}

pub(super) const FAULTS: &[Fault] = &[
    fault("idempotency.key-with-blanks", "The server accepts keys with spaces.", &["idempotency.key.characters"])
        .request(|request, _| {
            send_instead(request, |line| {
                accept(line, line.contains(' ') && key::read(&line.replace(' ', "_")).is_some())
            });
        }),
    fault(
        "idempotency.bare-any",
        "The server accepts unquoted keys with commas, semicolons and backslashes.",
        &["idempotency.key.characters"],
    )
    .request(|request, _| {
        send_instead(request, |line| accept(line, key::read(&line.replace([',', ';', '\\'], "_")).is_some()));
    }),
    fault(
        "idempotency.quotes-counted",
        "The length of a key includes its quotes.",
        &["idempotency.key.quoted-longest"],
    )
    .request(|request, _| send_instead(request, |line| refuse_over(255, line, line.len()))),
    fault("idempotency.ignored", "The server ignores Idempotency-Key.", &["idempotency.replay.same-answer"])
        .request(|request, _| send_instead(request, |_| Sent::Nothing)),
    fault(
        "idempotency.key-lower",
        "The server compares keys without regard to case.",
        &["idempotency.keys.different-jobs"],
    )
    .request(|request, _| {
        send_instead(request, |line| as_key(key::read(line).map(|key| key.to_ascii_lowercase())));
    }),
    fault(
        "idempotency.quotes-kept",
        "The server treats quotation marks as part of the key.",
        &["idempotency.key.quoted"],
    )
    .request(|request, _| {
        send_instead(request, |line| {
            as_key(key::read(line).filter(|_| line.starts_with('"')).map(|_| key::stand_in(line)))
        });
    }),
    fault("idempotency.key-256", "The server accepts keys of any length.", &["idempotency.key.malformed"]).request(
        |request, _| {
            send_instead(request, |line| {
                as_key(key::read_any_length(line).filter(|key| key.len() > 255).map(|key| key::stand_in(&key)))
            });
        },
    ),
    fault("idempotency.key-128", "The server refuses keys over 128 characters.", &["idempotency.key.longest"]).request(
        |request, _| send_instead(request, |line| refuse_over(128, line, key::read(line).map_or(0, |key| key.len()))),
    ),
    fault(
        "idempotency.key-cut",
        "The server compares only the first 64 characters of a key.",
        &["idempotency.key.longest"],
    )
    .request(|request, _| {
        send_instead(request, |line| as_key(key::read(line).map(|key| key.chars().take(64).collect())));
    }),
    fault("idempotency.key-of-one", "The server refuses keys of one character.", &["idempotency.key.ends"]).request(
        |request, _| {
            send_instead(request, |line| {
                if key::read(line).is_some_and(|key| key.len() == 1) { Sent::Malformed } else { Sent::AsItIs }
            });
        },
    ),
    fault("idempotency.key-any-byte", "The server accepts keys with any characters.", &["idempotency.key.malformed"])
        .request(|request, _| {
            send_instead(request, |line| accept(line, (1..=255).contains(&line.chars().count())));
        }),
    fault(
        "idempotency.first-line",
        "The server uses the first of two lines with a key.",
        &["idempotency.key.malformed"],
    )
    .request(|request, _| {
        if let Some(first) = request.headers.get(key::HEADER).filter(|_| request.is(Operation::Generate)).cloned() {
            request.headers.insert(key::HEADER, first);
        }
    }),
];

/// Replaces the header if it is a single line.
fn send_instead(request: &mut Request, choose: fn(&str) -> Sent) {
    let mut lines = request.headers.get_all(key::HEADER).iter();
    let (Some(line), None) = (lines.next(), lines.next()) else { return };
    let line = String::from_utf8_lossy(line.as_bytes()).into_owned();
    if !request.is(Operation::Generate) {
        return;
    }
    match choose(&line) {
        Sent::AsItIs => {}
        Sent::Key(key) => key::set(request, &key),
        Sent::Malformed => request.set(key::HEADER, "\"unfinished"),
        Sent::Nothing => request.remove(key::HEADER),
    }
}

fn as_key(key: Option<String>) -> Sent {
    key.map_or(Sent::AsItIs, Sent::Key)
}

/// Treats a line as an invalid key.
fn accept(line: &str, is_key: bool) -> Sent {
    if is_key && key::read(line).is_none() { Sent::Key(key::stand_in(line)) } else { Sent::AsItIs }
}

/// Refuses a key whose counted length exceeds the limit.
fn refuse_over(longest: usize, line: &str, length: usize) -> Sent {
    if length > longest && key::read(line).is_some() { Sent::Malformed } else { Sent::AsItIs }
}
