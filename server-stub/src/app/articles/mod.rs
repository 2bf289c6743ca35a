//! Articles and their scheduled posts.

mod archive_article;
mod find_articles;
mod get_article;
mod get_scheduled_post;
mod list_articles;
mod list_scheduled_posts;
mod preview;
