//! `list_websites`: lists the websites that the key may see, newest first by creation.

use super::super::caller::Caller;
use super::super::error::Error;
use super::super::operation::Operation;
use super::super::page::Page;
use super::super::service::App;
use crate::domain::account::Website;
use crate::domain::store::{PageKey, WebsiteFilter};

impl App {
    /// Returns a page of websites for the client's query.
    pub async fn list_websites(&self, caller: &Caller, query: &[(String, String)]) -> Result<Page<Website>, Error> {
        let listing = self.listing(Operation::ListWebsites, caller, query)?;
        let rows = self.store.list_websites(&caller.scope, &WebsiteFilter::default(), &listing.request()).await?;
        Ok(self.page(listing, caller, rows, |row| PageKey { time: row.created_at, id: row.website_id.clone() }))
    }
}
