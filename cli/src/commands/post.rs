//! `posts get`: shows one scheduled post.

use contentgen_sdk::types::ScheduledPost;

use super::raw::raw;
use crate::arguments::Post;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;
use crate::text::{facts, time};

/// Shows a scheduled post.
pub(super) async fn post(options: &Post, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let post = connection.client.get_scheduled_post(&options.post_id).send().await?;
    screen.result(|| state(&post), &raw(&post))
}

/// Returns the scheduled post as text for people.
fn state(post: &ScheduledPost) -> String {
    facts([
        ("post", Some(post.id.clone())),
        ("status", Some(post.status.to_string())),
        ("topic", Some(post.topic.clone())),
        ("website", Some(post.website_id.clone())),
        ("job", post.job_id.clone()),
        ("article", post.article_id.clone()),
        ("needs approval", (!post.auto_publish).then(|| "yes".to_owned())),
        ("planned", post.publish_at.map(time)),
        ("published", post.published_at.map(time)),
        ("attempts", (post.attempts > 0).then(|| post.attempts.to_string())),
        ("error", post.error.as_ref().map(|error| format!("{} ({})", error.message, error.code))),
        ("queued", Some(time(post.created_at))),
        ("changed", Some(time(post.updated_at))),
    ])
}
