//! A table of the leads that the filters show, to download. It is sent page by page, however many there are.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

use super::super::error::{Failure, Result};
use super::super::form::Form;
use super::super::visit::Visit;
use super::csv;
use super::filters::Filters;
use crate::domain::day::Day;
use crate::domain::error_chain::ErrorChain;

/// Sends the table. It is a form and no link, because the audit trail records it.
pub(in crate::dashboard) async fn submit(visit: Visit, form: Form) -> Result {
    let filter = Filters::read(&form).parse().map_err(|errors| {
        let told: Vec<_> = errors.all().iter().map(|error| error.text.clone()).collect();
        Failure::Refused(told.join(" "))
    })?;
    let leads = visit.app().export_leads(visit.account(), filter).await?;
    let lines = leads.map_ok(|leads| Bytes::from(csv::lines(&leads))).inspect_err(|error| {
        // The download breaks off, which browsers tell.
        tracing::error!(error = %ErrorChain(error), "an export of leads broke off");
    });
    let table = stream::once(async { Ok(Bytes::from_static(csv::HEAD.as_bytes())) }).chain(lines);
    let mut response = Response::new(Body::from_stream(table));
    let name = format!("attachment; filename=\"leads-{}.csv\"", Day::of(visit.app().clock().wall()));
    let name = HeaderValue::from_str(&name).expect("a date is plain text");
    response.headers_mut().insert(CONTENT_DISPOSITION, name);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    Ok(response)
}
