//! `posts`: lists the scheduled posts, from queued to published, page by page.

use contentgen_sdk::operations::ListScheduledPosts;
use contentgen_sdk::types::ScheduledPost;

use super::listing::{Listing, page_size};
use super::raw::raw_items;
use crate::arguments::Posts;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;
use crate::text::time;

/// Lists the scheduled posts, newest first.
pub(super) async fn posts(options: &Posts, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let names = ["QUEUED", "JOB", "STATUS", "PUBLISHED", "TOPIC", "ERROR"];
    let mut listing = Listing::new("posts", names, options.list.limit, screen);
    let mut pages = request(options, connection.client.list_scheduled_posts()).pages();
    while listing.has_room() {
        let Some(page) = pages.next().await.transpose()? else { break };
        listing.print(&raw_items(&page), page.items.iter().map(row))?;
    }
    listing.finish();
    Ok(())
}

fn request<'a>(options: &Posts, mut request: ListScheduledPosts<'a>) -> ListScheduledPosts<'a> {
    request = request.limit(page_size(options.list.limit));
    if let Some(status) = &options.status {
        request = request.status(status.as_str());
    }
    if let Some(website_id) = &options.list.website_id {
        request = request.website_id(website_id);
    }
    request
}

fn row(post: &ScheduledPost) -> [String; 6] {
    let error = post.error.as_ref().map(|error| format!("{} ({})", error.message, error.code));
    [
        time(post.created_at),
        post.job_id.clone().unwrap_or_default(),
        post.status.to_string(),
        post.published_at.map(time).unwrap_or_default(),
        post.topic.clone(),
        error.unwrap_or_default(),
    ]
}
