//! Articles, and the pipeline of posts in which they stand.

mod get_article;
mod list_articles;
mod list_scheduled_posts;
