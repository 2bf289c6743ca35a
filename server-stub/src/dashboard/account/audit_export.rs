//! CSV export of the audit trail.

use axum::body::Body;

use super::super::csv;
use super::super::error::Result;
use super::super::form::Form;
use super::super::visit::Visit;
use super::audit::{filter, words};
use crate::domain::audit::AuditEntry;

/// Names of the columns.
const COLUMNS: [&str; 6] = ["time", "actor", "action", "what", "object", "detail"];

/// Returns the entries that match the page's filters as a CSV file.
pub(in crate::dashboard) async fn download(visit: Visit, query: Form) -> Result {
    let entries = visit.app().export_audit_trail(visit.account(), &filter(&query)).await?;
    let lines: String = entries.iter().map(|entry| csv::line(&record(entry))).collect();
    Ok(csv::download("audit-trail.csv", Body::from(csv::head(&COLUMNS) + &lines)))
}

fn record(entry: &AuditEntry) -> [String; COLUMNS.len()] {
    [
        entry.at.to_string(),
        entry.actor.to_string(),
        entry.action.clone(),
        words(&entry.action),
        entry.subject.clone().unwrap_or_default(),
        entry.detail.as_ref().map(|detail| detail.as_str().to_owned()).unwrap_or_default(),
    ]
}
