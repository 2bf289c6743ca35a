//! Output of `--verbose`: the SDK's events as notes. They contain neither bodies nor keys.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::Screen;

/// Prefix of the targets of the SDK's events. Other events are ignored.
const TARGET: &str = "contentgen_sdk";

/// Logs requests from now on, until the program ends.
pub(crate) fn tell_requests(screen: Screen) {
    let log = RequestLog { screen, last_id: AtomicU64::new(0), calls: Mutex::default() };
    // It is set once, before any request.
    let _set = tracing::subscriber::set_global_default(log);
}

/// Turns events into notes.
struct RequestLog {
    screen: Screen,
    last_id: AtomicU64,
    calls: Mutex<Calls>,
}

/// The open calls.
#[derive(Default)]
struct Calls {
    operations: HashMap<u64, Value>,
    entered: Vec<u64>,
}

impl RequestLog {
    fn calls<T>(&self, change: impl FnOnce(&mut Calls) -> T) -> T {
        change(&mut self.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Subscriber for RequestLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with(TARGET) && *metadata.level() <= Level::DEBUG
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let mut members = Members::default();
        attributes.record(&mut members);
        let operation = members.0.remove("operation").unwrap_or_default();
        self.calls(|calls| calls.operations.insert(id, operation));
        Id::from_u64(id)
    }

    fn record(&self, _id: &Id, _values: &Record<'_>) {}

    fn record_follows_from(&self, _id: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut members = Members::default();
        event.record(&mut members);
        let Members(mut members) = members;
        if !members.contains_key("operation") {
            let operation = self.calls(|calls| {
                let id = calls.entered.last()?;
                calls.operations.get(id).cloned()
            });
            members.extend(operation.map(|operation| ("operation".to_owned(), operation)));
        }
        self.screen.note(&words(&members), "request", &json!(members));
    }

    fn enter(&self, id: &Id) {
        self.calls(|calls| calls.entered.push(id.into_u64()));
    }

    fn exit(&self, id: &Id) {
        self.calls(|calls| calls.entered.retain(|entered| *entered != id.into_u64()));
    }

    fn try_close(&self, id: Id) -> bool {
        // Spans are not shared here, so each close is the last one.
        self.calls(|calls| calls.operations.remove(&id.into_u64()).is_some())
    }
}

/// Formats an event for people: the operation, the message, and its fields.
fn words(members: &Map<String, Value>) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let operation = members.get("operation").map(text).unwrap_or_default();
    let happened = members.get("message").map(text).unwrap_or_default();
    let known = ["attempt", "status", "error", "request_id", "duration_ms", "pause_ms"];
    let known = known.iter().filter_map(|name| Some(format!("{name}={}", text(members.get(*name)?))));
    format!("{operation}: {happened} {}", known.collect::<Vec<_>>().join(" "))
}

/// Fields of an event.
#[derive(Default)]
struct Members(Map<String, Value>);

impl Visit for Members {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), json!(format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), json!(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), json!(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), json!(value));
    }
}
