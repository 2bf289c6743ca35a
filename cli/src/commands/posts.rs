//! `posts`: lists the scheduled posts, from queued to published, page by page.

use contentgen_sdk::Client;
use contentgen_sdk::operations::ListScheduledPosts;
use contentgen_sdk::types::ScheduledPost;

use super::listing::{Walk, page_size, print_list};
use crate::arguments::Posts;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::{Screen, terminal_width};
use crate::text::{Column, Table, time};

/// The columns, the most important ones first.
const COLUMNS: [Column; 7] = [
    Column::whole("ID"),
    Column::whole("STATUS"),
    Column::text("TOPIC"),
    Column::whole("QUEUED"),
    Column::whole("PUBLISHED"),
    Column::whole("JOB"),
    Column::text("ERROR"),
];

/// Lists the scheduled posts, newest first.
pub(super) async fn posts(options: &Posts, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let limit = options.paging.limit(false);
    let pages = request(options, &connection.client).limit(page_size(limit)).pages();
    let walk = Walk::new("posts", pages, &options.paging, limit, screen);
    print_list(walk, Table::new(COLUMNS, terminal_width()), row).await?;
    Ok(())
}

fn request(options: &Posts, client: &Client) -> ListScheduledPosts {
    client
        .list_scheduled_posts()
        .status(options.status.as_deref())
        .website_id(options.website_id.as_ref())
        .page_token(options.paging.page_token.as_ref())
}

fn row(post: &ScheduledPost) -> [String; COLUMNS.len()] {
    let error = post.error.as_ref().map(|error| format!("{} ({})", error.message, error.code));
    [
        post.id.clone(),
        post.status.to_string(),
        post.topic.clone(),
        time(post.created_at),
        post.published_at.map(time).unwrap_or_default(),
        post.job_id.clone().unwrap_or_default(),
        error.unwrap_or_default(),
    ]
}
