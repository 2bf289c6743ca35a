//! `articles`: lists the articles, page by page.

use contentgen_sdk::operations::ListArticles;
use contentgen_sdk::types::ArticleSummary;

use super::listing::{Walk, page_size, print_list};
use crate::arguments::Articles;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::{Screen, terminal_width};
use crate::text::{Column, Table, time};

/// The columns, the most important ones first.
const COLUMNS: [Column; 6] = [
    Column::whole("ID"),
    Column::whole("STATUS"),
    Column::text("TITLE"),
    Column::whole("WORDS"),
    Column::whole("WRITTEN"),
    Column::whole("URL"),
];

/// Lists the articles, newest first.
pub(super) async fn articles(options: &Articles, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let limit = options.paging.limit(false);
    let pages = request(options, connection.client.list_articles().limit(page_size(limit))).pages();
    let walk = Walk::new("articles", pages, &options.paging, limit, screen);
    print_list(walk, Table::new(COLUMNS, terminal_width()), row).await?;
    Ok(())
}

fn request<'a>(options: &Articles, mut request: ListArticles<'a>) -> ListArticles<'a> {
    if let Some(status) = &options.status {
        request = request.status(status.as_str());
    }
    if let Some(since) = options.since {
        request = request.updated_since(since.time());
    }
    if let Some(website_id) = &options.website_id {
        request = request.website_id(website_id);
    }
    if let Some(token) = &options.paging.page_token {
        request = request.page_token(token);
    }
    request
}

fn row(article: &ArticleSummary) -> [String; COLUMNS.len()] {
    [
        article.id.clone(),
        article.status.to_string(),
        article.title.clone(),
        article.word_count.to_string(),
        time(article.created_at),
        article.url.clone().unwrap_or_default(),
    ]
}
