//! `articles`: lists the articles, page by page.

use contentgen_sdk::Client;
use contentgen_sdk::operations::ListArticles;
use contentgen_sdk::types::ArticleSummary;

use super::listing::{Walk, page_size, print_list};
use crate::arguments::{Articles, Moment};
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
    let pages = request(options, &connection.client).limit(page_size(limit)).pages();
    let walk = Walk::new("articles", pages, &options.paging, limit, screen);
    print_list(walk, Table::new(COLUMNS, terminal_width()), row).await?;
    Ok(())
}

fn request(options: &Articles, client: &Client) -> ListArticles {
    client
        .list_articles()
        .status(options.status.as_deref())
        .updated_since(options.since.map(Moment::time))
        .website_id(options.website_id.as_ref())
        .page_token(options.paging.page_token.as_ref())
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
