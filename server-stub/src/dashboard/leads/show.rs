//! One lead with all its data, and its erasure at the person's request.

use std::collections::BTreeSet;

use askama::Template;
use axum::extract::Path;

use super::super::{DisplayTime, Layout, Notice, Result, Section, Visit};
use crate::app::LeadView;
use crate::domain::clock::Timestamp;
use crate::domain::delivery::LoggedDelivery;
use crate::domain::hook::DeliveryStatus;
use crate::domain::lead::{ConfirmationStatus, Lead};
use crate::domain::phone::to_e164;
use crate::domain::spam::SpamReason;

#[derive(Template)]
#[template(path = "dashboard/leads/show.html")]
struct LeadPage {
    layout: Layout,
    view: LeadView,
    /// E-mail address, encoded for a `mailto:` link (RFC 6068).
    mail_address: String,
    captured: DisplayTime,
    consented: Option<DisplayTime>,
    confirmed: Option<DisplayTime>,
    sent_events: Vec<SentEvent>,
    /// Reasons why the lead looks like spam.
    spam_reasons: Vec<&'static str>,
}

/// Event about the lead.
struct SentEvent {
    event_id: String,
    event_type: &'static str,
    at: DisplayTime,
    sent: Vec<Sent>,
}

/// Delivery of the event to an endpoint.
struct Sent {
    endpoint_id: String,
    url: String,
    status: DeliveryStatus,
    attempts: u32,
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(lead_id): Path<String>) -> Result {
    let view = visit.app().lead(visit.account(), &lead_id).await?;
    let sent_events = view.events.iter().map(|event| SentEvent {
        event_id: event.id.clone(),
        event_type: event.event_type.as_str(),
        at: event.created_at.into(),
        sent: event.deliveries.iter().map(|delivery| sent(&view, delivery)).collect(),
    });
    let sent_events = sent_events.collect();
    Ok(visit.page(&LeadPage {
        layout: visit.layout(title(&view.lead), Section::Leads),
        mail_address: view.lead.email.as_ref().map(|email| mail_address(email)).unwrap_or_default(),
        captured: view.lead.captured_at.into(),
        consented: view.lead.consent.at.filter(|_| view.lead.consent.given).map(|at: Timestamp| at.into()),
        confirmed: view.lead.confirmation.confirmed_at.map(|at: Timestamp| at.into()),
        sent_events,
        spam_reasons: view.lead.spam.reasons.iter().copied().map(in_words).collect(),
        view,
    }))
}

fn sent(view: &LeadView, delivery: &LoggedDelivery) -> Sent {
    let endpoint =
        view.endpoints.iter().map(|state| &state.endpoint).find(|endpoint| endpoint.id == delivery.endpoint_id);
    Sent {
        endpoint_id: delivery.endpoint_id.clone(),
        url: endpoint.map_or_else(|| delivery.endpoint_id.clone(), |endpoint| endpoint.url.clone()),
        status: delivery.status,
        attempts: delivery.attempts,
    }
}

/// Encodes the address for a link: an untrusted address must not add a subject or another recipient.
fn mail_address(email: &str) -> String {
    url::form_urlencoded::byte_serialize(email.as_bytes()).collect()
}

/// Describes a sign of spam.
fn in_words(reason: SpamReason) -> &'static str {
    match reason {
        SpamReason::TrapFilled => "a field was filled that people do not see",
        SpamReason::SentTooFast => "the form was sent sooner than a person fills it",
        SpamReason::ManyLinks => "the message has links",
        SpamReason::LinkAsName => "the name or the company is a link",
    }
}

/// Returns the lead's name, e-mail address or telephone number.
fn title(lead: &Lead) -> String {
    let known = [&lead.name, &lead.email, &lead.phone];
    known.into_iter().flatten().next().map(|text| text.to_string()).unwrap_or_default()
}

#[derive(Template)]
#[template(path = "dashboard/leads/erase.html")]
struct ErasePage {
    layout: Layout,
    lead_id: String,
    who: String,
    events: usize,
    deliveries: usize,
    attempts: u64,
    /// Number of receivers to which the lead was sent, successfully or not.
    receivers: usize,
}

/// Shows the confirmation page, which lists the data that is erased with the lead.
pub(in crate::dashboard) async fn show_erasure(visit: Visit, Path(lead_id): Path<String>) -> Result {
    let view = visit.app().lead(visit.account(), &lead_id).await?;
    let deliveries = || view.events.iter().flat_map(|event| &event.deliveries);
    let has_it = |delivery: &&LoggedDelivery| delivery.status == DeliveryStatus::Succeeded || delivery.attempts > 0;
    Ok(visit.page(&ErasePage {
        layout: visit.layout("Erase a lead", Section::Leads),
        who: title(&view.lead),
        events: view.events.len(),
        deliveries: deliveries().count(),
        attempts: view.events.iter().map(|event| event.attempts).sum(),
        receivers: deliveries().filter(has_it).map(|delivery| &*delivery.endpoint_id).collect::<BTreeSet<_>>().len(),
        lead_id,
    }))
}

/// Erases the lead.
pub(in crate::dashboard) async fn erase(visit: Visit, Path(lead_id): Path<String>) -> Result {
    visit.app().erase_lead(visit.account(), &lead_id).await?;
    Ok(visit.redirect("/dashboard/leads", Notice::LeadErased))
}
