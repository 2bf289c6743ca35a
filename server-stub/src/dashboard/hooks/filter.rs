//! Filter of the delivery log, as submitted and as parsed.

use chrono::NaiveDateTime;

use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use crate::domain::clock::Timestamp;
use crate::domain::delivery::DeliveryState;
use crate::domain::event::EventType;
use crate::domain::store::DeliveryFilter;

/// Names of the fields.
pub(super) const FIELDS: [&str; 5] = ["endpoint", "event", "state", "from", "until"];
/// States, with their labels.
pub(super) const STATES: [(DeliveryState, &str); 6] = [
    (DeliveryState::NotDelivered, "not delivered (failing, failed or exhausted)"),
    (DeliveryState::Failing, "failing (tried again later)"),
    (DeliveryState::Pending, "pending"),
    (DeliveryState::Failed, "failed (given up early)"),
    (DeliveryState::Exhausted, "exhausted (all attempts used up)"),
    (DeliveryState::Succeeded, "succeeded"),
];
/// Maximum length of an id in the filter, in characters.
const MAX_ID_CHARS: usize = 64;

/// Filter fields as submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FilterForm {
    pub(super) endpoint: String,
    pub(super) event: String,
    pub(super) state: String,
    pub(super) from: String,
    pub(super) until: String,
}

impl FilterForm {
    pub(super) fn read(form: &Form) -> Self {
        let text = |name| form.text(name).to_owned();
        Self {
            endpoint: text("endpoint"),
            event: text("event"),
            state: text("state"),
            from: text("from"),
            until: text("until"),
        }
    }

    /// Parses the filter.
    pub(super) fn parse(&self) -> Result<DeliveryFilter, FieldErrors> {
        let mut errors = FieldErrors::default();
        let event_type = EventType::parse(&self.event);
        if event_type.is_none() && !self.event.is_empty() {
            errors.add("event", "unknown event; choose one from the list");
        }
        let state = DeliveryState::parse(&self.state);
        if state.is_none() && !self.state.is_empty() {
            errors.add("state", "unknown state; choose one from the list");
        }
        let mut time = |field, text: &str| {
            parse_time(text).unwrap_or_else(|()| {
                errors.add(field, "write the time in UTC like 2026-11-23T14:00, or leave it empty");
                None
            })
        };
        let (since, until) = (time("from", &self.from), time("until", &self.until));
        let endpoint_id =
            Some(&self.endpoint).filter(|id| !id.is_empty()).map(|id| id.chars().take(MAX_ID_CHARS).collect());
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(DeliveryFilter { endpoint_id, event_type, state, since, until })
    }

    /// Returns the filter as the query of an address.
    pub(super) fn query(&self) -> String {
        let values = [&self.endpoint, &self.event, &self.state, &self.from, &self.until];
        let pairs = FIELDS.into_iter().zip(values).filter(|(_, value)| !value.is_empty());
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }
}

/// Parses a time: UTC as browsers send it, or RFC 3339.
pub(super) fn parse_time(text: &str) -> Result<Option<Timestamp>, ()> {
    if text.is_empty() {
        return Ok(None);
    }
    if let Some(time) = Timestamp::parse(text) {
        return Ok(Some(time));
    }
    let formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%.f"];
    let parsed = formats.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok());
    parsed.map(|time| Some(time.and_utc().into())).ok_or(())
}
