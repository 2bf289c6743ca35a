//! Erasure of a lead at the person's request, after a confirmation. The page lists the data that is erased with it.

use std::collections::BTreeSet;

use askama::Template;
use axum::extract::Path;

use super::super::error::Result;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use super::show::title;
use crate::domain::delivery::LoggedDelivery;
use crate::domain::hook::DeliveryStatus;

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

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(lead_id): Path<String>) -> Result {
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
pub(in crate::dashboard) async fn submit(visit: Visit, Path(lead_id): Path<String>) -> Result {
    visit.app().erase_lead(visit.account(), &lead_id).await?;
    Ok(visit.redirect("/dashboard/leads", Some(Notice::LeadErased)))
}
