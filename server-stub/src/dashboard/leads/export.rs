//! CSV export of the leads that match the filters. It is streamed page by page, so its size is not limited.

use axum::body::Body;
use bytes::Bytes;
use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::super::csv;
use super::super::error::Result;
use super::super::form::Form;
use super::super::visit::Visit;
use super::filter::FilterForm;
use super::record::{COLUMNS, record};
use crate::domain::day::Day;
use crate::domain::error_chain::ErrorChain;
use crate::domain::lead::Lead;

/// Sends the table. This is a POST request, because the audit trail records it.
pub(in crate::dashboard) async fn submit(visit: Visit, form: Form) -> Result {
    let filters = FilterForm::read(&form);
    let filter = filters.parse()?;
    let leads = visit.app().export_leads(visit.account(), filter, filters.search()).await?;
    let lines = |leads: Vec<Lead>| leads.iter().map(|lead| csv::line(&record(lead))).collect::<String>();
    let lines = leads.map_ok(move |leads| Bytes::from(lines(leads))).inspect_err(|error| {
        // The download is cut off, and the browser reports that.
        tracing::error!(error = %ErrorChain(error), "an export of leads failed");
    });
    let table = stream::once(async { Ok(Bytes::from(csv::head(&COLUMNS))) }).chain(lines);
    let name = format!("leads-{}.csv", Day::of(visit.app().clock().wall()));
    Ok(csv::download(&name, Body::from_stream(table)))
}
