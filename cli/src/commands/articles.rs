//! `articles`: lists the articles, page by page.

use contentgen_sdk::operations::ListArticles;
use contentgen_sdk::types::ArticleSummary;

use super::listing::{Listing, page_size};
use super::raw::raw_items;
use crate::arguments::Articles;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;
use crate::text::time;

/// Lists the articles, newest first.
pub(super) async fn articles(options: &Articles, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let names = ["WRITTEN", "ID", "STATUS", "WORDS", "TITLE", "URL"];
    let mut listing = Listing::new("articles", names, options.list.limit, screen);
    let mut pages = request(options, connection.client.list_articles()).pages();
    while listing.has_room() {
        let Some(page) = pages.next().await.transpose()? else { break };
        listing.print(&raw_items(&page), page.items.iter().map(row))?;
    }
    listing.finish();
    Ok(())
}

fn request<'a>(options: &Articles, mut request: ListArticles<'a>) -> ListArticles<'a> {
    request = request.limit(page_size(options.list.limit));
    if let Some(status) = &options.status {
        request = request.status(status.as_str());
    }
    if let Some(since) = options.since {
        request = request.updated_since(since.time());
    }
    if let Some(website_id) = &options.list.website_id {
        request = request.website_id(website_id);
    }
    request
}

fn row(article: &ArticleSummary) -> [String; 6] {
    [
        time(article.created_at),
        article.id.clone(),
        article.status.to_string(),
        article.word_count.to_string(),
        article.title.clone(),
        article.url.clone().unwrap_or_default(),
    ]
}
