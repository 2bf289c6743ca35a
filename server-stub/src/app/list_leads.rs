//! `list_leads`: the captured leads, newest first by capture.

use super::caller::Caller;
use super::error::Error;
use super::operation::Operation;
use super::page::{Page, range_bound};
use super::service::App;
use crate::domain::fault::table::{hooks, outside, paging};
use crate::domain::lead::Lead;
use crate::domain::store::{LeadFilter, PageKey};

impl App {
    /// A page of leads by the query as it was sent.
    pub async fn list_leads(&self, caller: &Caller, query: &[(String, String)]) -> Result<Page<Lead>, Error> {
        let listing = self.listing(Operation::ListLeads, caller, query)?;
        let mut filter = LeadFilter {
            website_id: listing.filter("website_id"),
            article_id: listing.filter("article_id"),
            captured_since: listing.parsed("captured_since", range_bound)?,
            captured_until: listing.parsed("captured_until", range_bound)?,
        };
        if outside::UNTIL_ALONE_IGNORED.is_on() && filter.captured_since.is_none() {
            filter.captured_until = None;
        }
        if outside::ARTICLE_WINS.is_on() && filter.article_id.is_some() {
            filter.website_id = None;
        }
        if outside::REVERSED_SWAPPED.is_on()
            && filter.captured_until.is_some_and(|until| filter.captured_since > Some(until))
        {
            std::mem::swap(&mut filter.captured_since, &mut filter.captured_until);
        }
        let is_reversed = filter.captured_since.zip(filter.captured_until).is_some_and(|(since, until)| since > until);
        if paging::REVERSED_REFUSED.is_on() && is_reversed {
            return Err(Error::Validation(Vec::new()));
        }
        let mut rows = self.store.list_leads(&caller.scope, &filter, &listing.request()).await?;
        let replicated = self.clock.now().plus_millis(-2000);
        if hooks::LEAD_EARLY.is_on() {
            rows.retain(|row| row.captured_at < replicated);
        }
        Ok(self.page(&listing, caller, rows, |row| PageKey { time: row.captured_at, id: row.id.clone() }))
    }
}
