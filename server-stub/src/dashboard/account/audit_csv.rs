//! The audit trail as a file for spreadsheets (RFC 4180).

use axum::body::Body;
use axum::response::Response;
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

use super::super::error::Result;
use super::super::form::Form;
use super::super::visit::Visit;
use super::audit::{filter, words};
use crate::domain::audit::AuditEntry;

const HEADINGS: [&str; 6] = ["time", "actor", "action", "what", "object", "detail"];

/// The file, of what the page's filters ask for.
pub(in crate::dashboard) async fn download(visit: Visit, query: Form) -> Result {
    let entries = visit.app().export_audit_trail(visit.account(), &filter(&query)).await?;
    let mut text = line(HEADINGS);
    for entry in &entries {
        text.push_str(&row(entry));
    }
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    let file = HeaderValue::from_static("attachment; filename=\"audit-trail.csv\"");
    response.headers_mut().insert(CONTENT_DISPOSITION, file);
    Ok(response)
}

fn row(entry: &AuditEntry) -> String {
    let detail = entry.detail.as_ref().map_or("", |detail| detail.as_str());
    let subject = entry.subject.as_deref().unwrap_or_default();
    line([&entry.at.to_string(), &entry.actor, &entry.action, &words(&entry.action), subject, detail])
}

fn line(cells: [&str; 6]) -> String {
    cells.map(cell).join(",") + "\r\n"
}

/// A quoted cell. A spreadsheet runs what looks like a formula, and names come from people, so such text begins with an
/// apostrophe (OWASP, "CSV Injection").
fn cell(text: &str) -> String {
    let looks_like_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let guard = if looks_like_formula { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_never_run() {
        assert_eq!(cell("a \"b\", c"), "\"a \"\"b\"\", c\"");
        assert_eq!(cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(["+1", "-1", "@x", "1-1"].map(cell), ["\"'+1\"", "\"'-1\"", "\"'@x\"", "\"1-1\""]);
    }
}
