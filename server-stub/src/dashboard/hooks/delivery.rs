//! One delivery: its payload, and the result of each attempt.

use std::time::Duration;

use askama::Template;
use axum::extract::Path;

use super::super::{DisplayTime, Layout, Notice, Result, Section, Visit};
use super::deliveries::failed_query;
use super::display::{Badge, DisplayedDelivery, DisplayedEndpoint, answer};
use crate::domain::delivery::{AttemptKind, LoggedAttempt};
use crate::domain::hook::DeliveryStatus;

/// The page refreshes itself if an attempt is due within this time.
const SOON: Duration = Duration::from_mins(2);

/// Replaces the link that confirms a lead.
const HIDDEN_LINK: &str = "(hidden)";

#[derive(Template)]
#[template(path = "dashboard/hooks/delivery.html")]
struct DeliveryPage {
    layout: Layout,
    delivery: DisplayedDelivery,
    endpoint: DisplayedEndpoint,
    /// True if an attempt is being made or due soon.
    is_moving: bool,
    can_redeliver: bool,
    /// Query of the page that redelivers all failed deliveries to this endpoint.
    failed_query: String,
    attempts: Vec<DisplayedAttempt>,
    /// Payload, formatted for readers.
    pretty: String,
    /// Payload in its exact form, as sent.
    exact: String,
    bytes: usize,
    /// True if a link is hidden.
    has_hidden_link: bool,
}

struct DisplayedAttempt {
    /// Position in the list, from 1.
    position: usize,
    /// CSS class: `good` or `bad`.
    class: &'static str,
    badge: Badge,
    answer: String,
    kind: &'static str,
    number: u32,
    began: DisplayTime,
    seconds: String,
    request: Vec<(String, String)>,
    response: Vec<(String, String)>,
    response_head: String,
    has_response: bool,
}

impl DisplayedAttempt {
    fn new((index, attempt): (usize, LoggedAttempt)) -> Self {
        let is_success = attempt.response_status.is_some_and(|status| (200..300).contains(&status));
        let (class, text) = if is_success { ("good", "succeeded") } else { ("bad", "failed") };
        Self {
            position: index + 1,
            class,
            badge: Badge { class, text },
            answer: answer(attempt.response_status, attempt.error.as_deref()),
            kind: match attempt.kind {
                AttemptKind::Scheduled => "by the schedule",
                AttemptKind::Manual => "asked for",
                AttemptKind::Test => "test",
            },
            number: attempt.number,
            began: DisplayTime::with_seconds(attempt.started_at),
            seconds: format!("{}.{:03}", attempt.duration_ms / 1000, attempt.duration_ms % 1000),
            request: attempt.request_headers,
            response: attempt.response_headers.into_inner(),
            response_head: attempt.response_head.map(crate::domain::personal::Personal::into_inner).unwrap_or_default(),
            has_response: attempt.response_status.is_some(),
        }
    }
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(delivery_id): Path<String>) -> Result {
    let view = visit.app().find_delivery(visit.account(), &delivery_id).await?;
    let endpoint = DisplayedEndpoint::new(&view.endpoint, &[]);
    let summary = &view.summary;
    let delivery = DisplayedDelivery::new(summary, std::slice::from_ref(&endpoint));
    let is_due = summary.delivery.next_attempt_at.is_some_and(|next| next <= visit.app().clock().steady().plus(SOON));
    let is_pending = summary.delivery.status == DeliveryStatus::Pending;
    let json = serde_json::from_slice::<serde_json::Value>(&view.body);
    let exact = String::from_utf8_lossy(&view.body).into_owned();
    // The link gives access on behalf of the lead's person.
    let link = json.as_ref().ok().and_then(|json| json["data"]["confirmation_url"].as_str());
    let hidden = |text: String| link.map_or(text.clone(), |link| text.replace(link, HIDDEN_LINK));
    // A receiver may repeat the link in its response.
    let hide = |text: &mut String| {
        if let Some(link) = link {
            *text = without_link(text, link);
        }
    };
    let mut attempts: Vec<_> = view.attempts.into_iter().enumerate().map(DisplayedAttempt::new).rev().collect();
    for attempt in &mut attempts {
        hide(&mut attempt.response_head);
        hide(&mut attempt.answer);
        attempt.response.iter_mut().for_each(|(_, value)| hide(value));
    }
    let pretty = json.as_ref().ok().and_then(|json| serde_json::to_string_pretty(json).ok());
    Ok(visit.page(&DeliveryPage {
        layout: visit.layout(format!("Delivery of {}", delivery.event), Section::Hooks),
        is_moving: is_pending && endpoint.is_active && (summary.is_in_flight || is_due),
        can_redeliver: endpoint.is_active && !summary.is_in_flight && summary.next_kind == AttemptKind::Scheduled,
        failed_query: if delivery.has_failed { failed_query(&endpoint.id) } else { String::new() },
        attempts,
        pretty: hidden(pretty.unwrap_or_else(|| exact.clone())),
        bytes: view.body.len(),
        has_hidden_link: link.is_some(),
        exact: hidden(exact),
        delivery,
        endpoint,
    }))
}

/// Hides the link in a text, even if its slashes are escaped or it was cut off. The first characters of its token are enough to
/// find it.
fn without_link(text: &str, link: &str) -> String {
    const BEGINNING_CHARS: usize = 16;
    let (address, token) = link.rsplit_once('/').unwrap_or(("", link));
    let Some(beginning) = token.get(..BEGINNING_CHARS) else { return text.replace(link, HIDDEN_LINK) };
    let text = text.replace(&format!("{address}/"), "");
    let mut parts = text.split(beginning);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str(HIDDEN_LINK);
        shown.push_str(part.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter)));
    }
    shown
}

/// Redelivers it once.
pub(in crate::dashboard) async fn redeliver(visit: Visit, Path(delivery_id): Path<String>) -> Result {
    visit.app().redeliver(visit.account(), &delivery_id).await?;
    Ok(visit.redirect(&format!("/dashboard/hooks/deliveries/{delivery_id}"), Notice::Redelivered))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_hidden_whole_escaped_or_cut() {
        let link = "https://content.example/capture/web_1/confirmations/OQ75knTS30wQ5eJRw1HzOB_Kfr-x";
        for (text, shown) in [
            (format!("at {link}."), "at (hidden)."),
            (
                format!("\"{}\"", link.replace('/', "\\/")),
                "\"https:\\/\\/content.example\\/capture\\/web_1\\/confirmations\\/(hidden)\"",
            ),
            (link[..link.len() - 4].to_owned(), "(hidden)"),
            (format!("{link} and {link}"), "(hidden) and (hidden)"),
            ("nothing".to_owned(), "nothing"),
        ] {
            assert_eq!(without_link(&text, link), shown);
        }
    }
}
