//! Articles and their scheduled posts.

mod get_article;
mod list_articles;
mod list_scheduled_posts;
