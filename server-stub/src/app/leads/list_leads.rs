//! `list_leads`: lists the captured leads, newest first by capture.

use super::super::caller::Caller;
use super::super::error::Error;
use super::super::operation::Operation;
use super::super::page::{Page, range_bound};
use super::super::service::App;
use crate::domain::lead::Lead;
use crate::domain::store::{LeadFilter, PageKey};

impl App {
    /// Returns a page of leads for the client's query.
    pub async fn list_leads(&self, caller: &Caller, query: &[(String, String)]) -> Result<Page<Lead>, Error> {
        let listing = self.listing(Operation::ListLeads, caller, query)?;
        let filter = LeadFilter {
            website_id: listing.filter("website_id"),
            article_id: listing.filter("article_id"),
            captured_since: listing.parsed("captured_since", range_bound)?,
            captured_until: listing.parsed("captured_until", range_bound)?,
            updated_since: listing.parsed("updated_since", range_bound)?,
        };
        let rows = self.store.list_leads(&caller.scope, &filter, &listing.request()).await?;
        Ok(self.page(listing, caller, rows, |row| PageKey { time: row.captured_at, id: row.id.clone() }))
    }
}
