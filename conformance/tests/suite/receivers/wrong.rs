//! A receiver of webhooks in this process with at most one bug.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Barrier, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contentgen_conformance::runner::unix_seconds;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::support::{Seen, answer};

pub(super) const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// Greatest difference of times in seconds.
const TOLERANCE: i64 = 300;
/// Size of a body that the receiver with [`Bug::SmallBodies`] refuses, and of one after which [`Bug::DiesOfLarge`] fails.
const SMALL: usize = 20 * 1024;
const LARGE: usize = 512 * 1024;
/// Time without data from the sender after which a connection ends.
const READ_WITHIN: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bug {
    None,
    RefusesAll,
    AcceptsAll,
    AcceptsUnsigned,
    AcceptsBeginnings,
    AcceptsAnyVersion,
    AcceptsBareSignatures,
    AcceptsHexadecimal,
    AcceptsBodyAlone,
    AcceptsEmpty,
    FirstSignatureOnly,
    LastSignatureOnly,
    KnownVersionsOnly,
    AcceptsOld,
    AcceptsFuture,
    Hasty,
    AcceptsAnyTime,
    AcceptsMilliseconds,
    Reserialises,
    AsciiOnly,
    KnownTypesOnly,
    KnownFieldsOnly,
    KnownWordsOnly,
    LeadsOnly,
    RefusesRepeats,
    RefusesOlder,
    TwoEffects,
    RacingEffects,
    EffectFirst,
    RemembersFirst,
    SmallBodies,
    DiesOfLarge,
    TakesPart,
    DiesOfPart,
    OneByOne,
    LowerCaseHeadersOnly,
    Slow,
    Redirects,
}

/// Each bug with the rule that must notice it.
pub(super) const BUGS: &[(Bug, &str)] = &[
    (Bug::AcceptsAll, "receiver.signatures.wrong"),
    (Bug::AcceptsUnsigned, "receiver.signatures.missing"),
    (Bug::AcceptsBeginnings, "receiver.signatures.wrong"),
    (Bug::AcceptsAnyVersion, "receiver.signatures.wrong"),
    (Bug::AcceptsBareSignatures, "receiver.signatures.wrong"),
    (Bug::AcceptsHexadecimal, "receiver.signatures.wrong"),
    (Bug::AcceptsBodyAlone, "receiver.signatures.wrong"),
    (Bug::AcceptsEmpty, "receiver.signatures.wrong"),
    (Bug::FirstSignatureOnly, "receiver.signatures.rotated"),
    (Bug::LastSignatureOnly, "receiver.signatures.rotated"),
    (Bug::KnownVersionsOnly, "receiver.signatures.unknown-version"),
    (Bug::AcceptsOld, "receiver.times.far"),
    (Bug::AcceptsFuture, "receiver.times.far"),
    (Bug::Hasty, "receiver.times.near"),
    (Bug::AcceptsAnyTime, "receiver.times.malformed"),
    (Bug::AcceptsMilliseconds, "receiver.times.malformed"),
    (Bug::Reserialises, "receiver.bodies.raw"),
    (Bug::AsciiOnly, "receiver.bodies.raw"),
    (Bug::KnownTypesOnly, "receiver.events.unknown-type"),
    (Bug::KnownFieldsOnly, "receiver.events.unknown-fields"),
    (Bug::KnownWordsOnly, "receiver.events.unknown-words"),
    (Bug::LeadsOnly, "receiver.events.known"),
    (Bug::RefusesRepeats, "receiver.events.repeated"),
    (Bug::RefusesOlder, "receiver.events.order"),
    (Bug::TwoEffects, "receiver.effects.once"),
    (Bug::RacingEffects, "receiver.effects.once-at-a-time"),
    (Bug::EffectFirst, "receiver.effects.verified"),
    (Bug::RemembersFirst, "receiver.effects.verified"),
    (Bug::SmallBodies, "receiver.bodies.largest"),
    (Bug::DiesOfLarge, "receiver.bodies.megabyte"),
    (Bug::TakesPart, "receiver.effects.whole"),
    (Bug::DiesOfPart, "receiver.bodies.cut-off"),
    (Bug::OneByOne, "receiver.bodies.slow"),
    (Bug::LowerCaseHeadersOnly, "receiver.headers.spelling"),
    (Bug::Slow, "receiver.answers.in-time"),
    (Bug::Redirects, "receiver.events.known"),
];

#[derive(Default)]
struct State {
    processed: BTreeSet<String>,
    effects: BTreeMap<String, u64>,
    newest: String,
    is_dead: bool,
}

pub(super) struct Receiver {
    bug: Bug,
    url: String,
    state: Mutex<State>,
    /// Makes one delivery of an event wait for another one.
    pairs: Barrier,
}

/// Returns the signature without its version.
fn sign(signed: &[&[u8]]) -> Vec<u8> {
    let key = STANDARD.decode(SECRET.trim_start_matches("whsec_")).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    for part in signed {
        mac.update(part);
    }
    mac.finalize().into_bytes().to_vec()
}

impl Receiver {
    /// Starts a receiver that listens until the process ends.
    pub(super) fn start(bug: Bug) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/hooks?from=service", listener.local_addr().unwrap());
        let receiver = Arc::new(Self { bug, url, state: Mutex::default(), pairs: Barrier::new(2) });
        let serving = Arc::clone(&receiver);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let receiver = Arc::clone(&serving);
                let serve = move || receiver.serve(&stream);
                if bug == Bug::OneByOne {
                    serve();
                } else {
                    thread::spawn(serve);
                }
            }
        });
        receiver
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn effects(&self, id: &str) -> u64 {
        self.state().effects.get(id).copied().unwrap_or_default()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, mut stream: &TcpStream) {
        stream.set_read_timeout(Some(READ_WITHIN)).unwrap();
        let Some(seen) = self.read(stream) else { return };
        if self.bug == Bug::Slow && seen.header("webhook-id").is_some() {
            // The sender gives up first.
            let _ = stream.read(&mut [0]);
            return;
        }
        let status = self.status(&seen);
        let location: &[(&str, &str)] = if status == 302 { &[("location", "/elsewhere")] } else { &[] };
        let _ = stream.write_all(&answer(status, location, b""));
    }

    /// Reads one request. Returns `None` if it is incomplete.
    fn read(&self, stream: &TcpStream) -> Option<Seen> {
        let mut reader = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            match reader.read_line(&mut line).ok()? {
                0 => return None,
                _ if line.trim().is_empty() => break,
                _ => lines.push(line.trim().to_owned()),
            }
        }
        let mut words = lines.first()?.split(' ');
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let headers: Vec<(String, String)> = lines[1..]
            .iter()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
            .collect();
        let mut seen = Seen { method, path, headers, body: Vec::new() };
        let length: usize = seen.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        // A body that ends early is shorter than its announced length.
        reader.take(length as u64).read_to_end(&mut seen.body).ok()?;
        let is_whole = seen.body.len() == length;
        if self.bug == Bug::DiesOfPart && !is_whole {
            self.state().is_dead = true;
        }
        (is_whole || self.bug == Bug::TakesPart).then_some(seen)
    }

    fn header<'seen>(&self, seen: &'seen Seen, name: &str) -> Option<&'seen str> {
        match self.bug {
            Bug::LowerCaseHeadersOnly => {
                seen.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
            }
            _ => seen.header(name),
        }
    }

    fn status(&self, seen: &Seen) -> u16 {
        if self.bug == Bug::RefusesAll || self.state().is_dead {
            return 500;
        }
        if self.bug == Bug::SmallBodies && seen.body.len() > SMALL {
            return 413;
        }
        if self.bug == Bug::DiesOfLarge && seen.body.len() > LARGE {
            self.state().is_dead = true;
        }
        let event: Value = serde_json::from_slice(&seen.body).unwrap_or_default();
        let id = self.header(seen, "webhook-id").unwrap_or_default();
        if self.bug == Bug::EffectFirst {
            self.take_effect(id);
        }
        if self.bug == Bug::RemembersFirst && !self.state().processed.insert(id.to_owned()) {
            return 204;
        }
        let is_verified = self.bug == Bug::AcceptsAll || self.is_verified(seen, id);
        if !is_verified {
            return 400;
        }
        self.process(&event, id)
    }

    fn is_verified(&self, seen: &Seen, id: &str) -> bool {
        let Some(time) = self.header(seen, "webhook-timestamp") else { return false };
        let Some(signatures) = self.header(seen, "webhook-signature") else {
            return self.bug == Bug::AcceptsUnsigned;
        };
        let now = unix_seconds();
        let at = match time.parse::<i64>() {
            Ok(at) if self.bug == Bug::AcceptsMilliseconds && at > 100_000_000_000 => at / 1_000,
            Ok(at) => at,
            Err(_) if self.bug == Bug::AcceptsAnyTime => now,
            Err(_) => return false,
        };
        let tolerance = if self.bug == Bug::Hasty { 60 } else { TOLERANCE };
        let is_old = now - at > tolerance && self.bug != Bug::AcceptsOld;
        let is_future = at - now > tolerance && self.bug != Bug::AcceptsFuture;
        if id.is_empty() || is_old || is_future {
            return false;
        }
        let again = || serde_json::from_slice::<Value>(&seen.body).unwrap_or_default().to_string().into_bytes();
        let ascii = |byte: &u8| if byte.is_ascii() { *byte } else { b'?' };
        let body = match self.bug {
            Bug::Reserialises => again(),
            Bug::AsciiOnly => seen.body.iter().map(ascii).collect(),
            _ => seen.body.clone(),
        };
        let right = sign(&[format!("{id}.{time}.").as_bytes(), &body]);
        let mut listed: Vec<&str> = signatures.split(' ').filter(|one| !one.is_empty()).collect();
        match self.bug {
            Bug::FirstSignatureOnly => listed.truncate(1),
            Bug::LastSignatureOnly => listed = listed.split_off(listed.len().saturating_sub(1)),
            Bug::KnownVersionsOnly if listed.iter().any(|one| !one.starts_with("v1,")) => return false,
            Bug::AcceptsEmpty if listed.is_empty() => return true,
            _ => {}
        }
        listed.iter().any(|one| self.is_right(one, &right, &body))
    }

    fn is_right(&self, one: &str, right: &[u8], body: &[u8]) -> bool {
        let encoded = STANDARD.encode(right);
        let whole = format!("v1,{encoded}");
        one == whole
            || match self.bug {
                Bug::AcceptsBeginnings => whole.starts_with(one),
                Bug::AcceptsAnyVersion => one.split_once(',').is_some_and(|(_, text)| text == encoded),
                Bug::AcceptsBareSignatures => one == encoded,
                Bug::AcceptsHexadecimal => {
                    one == right.iter().fold("v1,".to_owned(), |text, byte| text + &format!("{byte:02x}"))
                }
                Bug::AcceptsBodyAlone => one == format!("v1,{}", STANDARD.encode(sign(&[body]))),
                _ => false,
            }
    }

    fn process(&self, event: &Value, id: &str) -> u16 {
        let event_type = event["type"].as_str().unwrap_or_default();
        let text = event.to_string();
        let is_refused = match self.bug {
            Bug::KnownTypesOnly => event_type == "website.renamed",
            Bug::KnownFieldsOnly => text.contains("later_field"),
            Bug::KnownWordsOnly => text.contains("a_later_word"),
            Bug::LeadsOnly => event_type != "lead.captured",
            _ => false,
        };
        if is_refused {
            return 400;
        }
        let time = event["timestamp"].as_str().unwrap_or_default().to_owned();
        let is_older = time < std::mem::replace(&mut self.state().newest, time.clone());
        if self.bug == Bug::RefusesOlder && is_older {
            return 409;
        }
        if self.bug == Bug::RacingEffects {
            let is_new = !self.state().processed.contains(id);
            self.pairs.wait();
            self.state().processed.insert(id.to_owned());
            if is_new {
                self.take_effect(id);
            }
            return 204;
        }
        let is_new = self.state().processed.insert(id.to_owned());
        match self.bug {
            Bug::RefusesRepeats if !is_new => return 409,
            Bug::Redirects => return 302,
            Bug::EffectFirst => {}
            Bug::TwoEffects | Bug::RemembersFirst => self.take_effect(id),
            _ if is_new => self.take_effect(id),
            _ => {}
        }
        204
    }

    fn take_effect(&self, id: &str) {
        *self.state().effects.entry(id.to_owned()).or_default() += 1;
    }
}
