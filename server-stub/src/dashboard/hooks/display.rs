//! View models of endpoints and deliveries.

use http::StatusCode;

use super::super::{DisplayTime, short_id};
use crate::app::EndpointView;
use crate::domain::account::Website;
use crate::domain::delivery::{AttemptKind, DeliverySummary, LastAttempt};
use crate::domain::event::EventType;
use crate::domain::hook::{DeliveryStatus, EndpointStatus};
use crate::domain::time_zone::TimeZone;

/// Events that an endpoint can subscribe to, with descriptions. Tests are not listed: they always go to the tested endpoint.
pub(super) const EVENTS: [(EventType, &str); 6] = [
    (
        EventType::LeadCaptured,
        "Somebody left their details on a website: the lead with its answers, source and consent.",
    ),
    (
        EventType::LeadConfirmed,
        "The person behind a lead followed the link that confirms it, on a website with double opt-in.",
    ),
    (EventType::ArticlePublished, "An article finished publishing: its id, title, address and summary."),
    (
        EventType::ArticleUpdated,
        "A published article was edited here: the same as for its publication, with the new text.",
    ),
    (EventType::JobFailed, "An article could not be written, for good: the job and why it failed."),
    (
        EventType::ScheduledPostFailed,
        "An article could not be published, for good: the scheduled post and why it failed.",
    ),
];

/// State in one word, with the CSS class of its badge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Badge {
    pub(super) class: &'static str,
    pub(super) text: &'static str,
}

/// Endpoint on a page.
#[derive(Debug, Clone)]
pub(super) struct DisplayedEndpoint {
    pub(super) id: String,
    pub(super) url: String,
    pub(super) description: String,
    pub(super) events: Vec<&'static str>,
    /// Name of the website; empty for all websites.
    pub(super) website: String,
    /// Time zone of the website, or of all websites if they agree, otherwise UTC.
    pub(super) zone: TimeZone,
    pub(super) include_content: bool,
    pub(super) state: Badge,
    pub(super) health: Badge,
    pub(super) is_active: bool,
    pub(super) is_disabled: bool,
    /// Why nothing is sent, or the current problem; empty if the endpoint is healthy.
    pub(super) reason: &'static str,
    pub(super) last_success: Option<DisplayTime>,
    pub(super) last_failure: Option<DisplayTime>,
    pub(super) created: DisplayTime,
}

impl DisplayedEndpoint {
    pub(super) fn new(view: &EndpointView, websites: &[Website]) -> Self {
        let state = &view.state;
        let endpoint = &state.endpoint;
        let website = endpoint.website_id.as_ref().map(|id| {
            websites.iter().find(|website| website.website_id == *id).map_or_else(|| id.clone(), |one| one.name.clone())
        });
        let (badge, reason) = match (endpoint.status, state.disabled_reason.as_deref()) {
            (EndpointStatus::Active, _) if view.is_failing => (
                Badge { class: "good", text: "active" },
                "Deliveries fail, so the endpoint gets one at a time. After five days without a success it is disabled.",
            ),
            (EndpointStatus::Active, _) => (Badge { class: "good", text: "active" }, ""),
            (EndpointStatus::Paused, _) => (
                Badge { class: "warn", text: "paused" },
                "Nothing is sent. Due deliveries wait. You can recover the events of the pause for 14 days.",
            ),
            (EndpointStatus::Disabled, Some("gone")) => (
                Badge { class: "bad", text: "disabled" },
                "The receiver responded with 410 Gone. Waiting deliveries were discarded. Resume the endpoint when the receiver is back.",
            ),
            (EndpointStatus::Disabled, _) => (
                Badge { class: "bad", text: "disabled" },
                "All deliveries failed for five days. Due deliveries wait until you resume the endpoint.",
            ),
        };
        let health = match (view.is_failing, state.health.failed_attempts, state.last_success_at) {
            (true, ..) => Badge { class: "bad", text: "failing" },
            (false, 1.., _) => Badge { class: "warn", text: "last attempt failed" },
            (false, 0, Some(_)) => Badge { class: "good", text: "healthy" },
            (false, 0, None) => Badge { class: "muted", text: "not tried yet" },
        };
        Self {
            id: endpoint.id.clone(),
            url: endpoint.url.clone(),
            description: endpoint.description.clone().unwrap_or_default(),
            events: endpoint.events.iter().map(|event| event.as_str()).collect(),
            website: website.unwrap_or_default(),
            zone: TimeZone::of_list(websites, endpoint.website_id.as_deref().unwrap_or_default()),
            include_content: endpoint.include_content,
            state: badge,
            health,
            is_active: endpoint.status == EndpointStatus::Active,
            is_disabled: endpoint.status == EndpointStatus::Disabled,
            reason,
            last_success: state.last_success_at.map(DisplayTime::from),
            last_failure: state.last_failure_at.map(DisplayTime::from),
            created: endpoint.created_at.into(),
        }
    }

    /// Returns the display name of the endpoint: its description, or its URL.
    pub(super) fn name(&self) -> &str {
        if self.description.is_empty() { &self.url } else { &self.description }
    }
}

/// Delivery on a page.
#[derive(Debug, Clone)]
pub(super) struct DisplayedDelivery {
    pub(super) id: String,
    pub(super) event: &'static str,
    pub(super) event_id: String,
    /// Id of the event's object.
    pub(super) object_id: String,
    pub(super) short_object_id: String,
    pub(super) endpoint_id: String,
    /// Display name of its endpoint.
    pub(super) endpoint: String,
    pub(super) state: Badge,
    pub(super) attempts: u32,
    /// Result of the last attempt.
    pub(super) last: String,
    pub(super) next: Option<DisplayTime>,
    /// Text that replaces the time of the next attempt.
    pub(super) next_note: &'static str,
    pub(super) created: DisplayTime,
    /// True if it was tried and did not arrive.
    pub(super) has_failed: bool,
}

impl DisplayedDelivery {
    pub(super) fn new(summary: &DeliverySummary, endpoints: &[DisplayedEndpoint]) -> Self {
        let delivery = &summary.delivery;
        let endpoint = endpoints.iter().find(|endpoint| endpoint.id == delivery.endpoint_id);
        let is_active = endpoint.is_none_or(|endpoint| endpoint.is_active);
        let zone = endpoint.map_or(TimeZone::or_utc("UTC"), |endpoint| endpoint.zone);
        let shown = |time| DisplayTime::in_zone(time, zone);
        let has_last_failed = summary.last_attempt.as_ref().is_some_and(|last| !is_success(last));
        let state = match delivery.status {
            DeliveryStatus::Succeeded => Badge { class: "good", text: "succeeded" },
            DeliveryStatus::Failed => Badge { class: "bad", text: "failed" },
            DeliveryStatus::Exhausted => Badge { class: "bad", text: "exhausted" },
            DeliveryStatus::Pending if summary.is_in_flight => Badge { class: "info", text: "sending" },
            DeliveryStatus::Pending if has_last_failed => Badge { class: "warn", text: "failing" },
            DeliveryStatus::Pending => Badge { class: "muted", text: "pending" },
        };
        let next_note = match (delivery.status, summary.is_in_flight, summary.next_kind) {
            (DeliveryStatus::Pending, true, _) => "being sent",
            (DeliveryStatus::Pending, false, _) if !is_active => "when the endpoint is resumed",
            (DeliveryStatus::Pending, false, AttemptKind::Manual) => "now, as you asked",
            (DeliveryStatus::Pending, false, _) => "",
            _ => "none",
        };
        Self {
            id: delivery.id.clone(),
            event: delivery.event_type.as_str(),
            event_id: delivery.event_id.clone(),
            object_id: summary.object_id.clone(),
            short_object_id: short_id(&summary.object_id),
            endpoint_id: delivery.endpoint_id.clone(),
            endpoint: endpoint.map_or_else(|| delivery.endpoint_id.clone(), |endpoint| endpoint.name().to_owned()),
            state,
            // The schedule does not count tests and manual redeliveries.
            attempts: delivery.attempts.max(u32::from(summary.last_attempt.is_some())),
            last: summary
                .last_attempt
                .as_ref()
                .map_or_else(|| "none yet".to_owned(), |last| answer(last.response_status, last.error.as_deref())),
            next: delivery.next_attempt_at.filter(|_| next_note.is_empty()).map(shown),
            next_note,
            created: shown(delivery.created_at),
            has_failed: match delivery.status {
                DeliveryStatus::Succeeded => false,
                DeliveryStatus::Failed | DeliveryStatus::Exhausted => true,
                DeliveryStatus::Pending => has_last_failed,
            },
        }
    }
}

fn is_success(attempt: &LastAttempt) -> bool {
    attempt.response_status.is_some_and(|status| (200..300).contains(&status))
}

/// Describes the result of an attempt: the status with its name, or the error.
pub(super) fn answer(status: Option<u16>, error: Option<&str>) -> String {
    let Some(status) = status else { return error.unwrap_or("no response").to_owned() };
    let name = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    name.map_or_else(|| status.to_string(), |name| format!("{status} {name}"))
}
