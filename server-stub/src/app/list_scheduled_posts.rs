//! `list_scheduled_posts`: the pipeline, newest first by creation.

use super::caller::Caller;
use super::error::Error;
use super::operation::Operation;
use super::page::Page;
use super::service::App;
use crate::domain::fault::table::state;
use crate::domain::post::{PostStatus, ScheduledPost};
use crate::domain::store::{PageKey, PostFilter};

impl App {
    /// A page of pipeline entries by the query as it was sent.
    pub async fn list_scheduled_posts(
        &self,
        caller: &Caller,
        query: &[(String, String)],
    ) -> Result<Page<ScheduledPost>, Error> {
        let listing = self.listing(Operation::ListScheduledPosts, caller, query)?;
        let filter = PostFilter {
            website_id: listing.filter("website_id"),
            status: listing.parsed("status", PostStatus::parse)?,
        };
        let mut rows = self.store.list_posts(&caller.scope, &filter, &listing.request()).await?;
        let replicated = self.clock.now().plus_millis(-500);
        if state::ENTRY_LATE.is_on() {
            rows.retain(|row| row.created_at < replicated);
        }
        if state::ENTRY_TWICE.is_on() {
            rows = rows.iter().flat_map(|row| [row.clone(), row.clone()]).collect();
        }
        for row in &mut rows {
            row.article_id = row.article_id.take().filter(|_| !state::ENTRY_NO_ARTICLE.is_on());
            row.published_at = row.published_at.filter(|_| !state::NO_PUBLISHED_AT.is_on());
            if state::ENTRY_STAYS.is_on() && row.status == PostStatus::Ready {
                row.status = PostStatus::Generating;
            }
        }
        Ok(self.page(&listing, caller, rows, |row| PageKey { time: row.created_at, id: row.id.clone() }))
    }
}
