//! `list_scheduled_posts`: lists the posts, newest first by creation.

use super::super::caller::Caller;
use super::super::error::Error;
use super::super::operation::Operation;
use super::super::page::Page;
use super::super::service::App;
use crate::domain::post::{PostStatus, ScheduledPost};
use crate::domain::store::{PageKey, PostFilter};

impl App {
    /// Returns a page of posts for the client's query.
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
        let rows = self.store.list_posts(&caller.scope, &filter, &listing.request()).await?;
        Ok(self.page(listing, caller, rows, |row| PageKey { time: row.created_at, id: row.id.clone() }))
    }
}
