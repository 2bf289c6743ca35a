//! `websites`: lists the websites that articles can be written for.

use contentgen_sdk::types::Website;

use super::listing::{Walk, page_size, print_list};
use crate::arguments::Paging;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::{Screen, terminal_width};
use crate::text::{Column, Table};

/// The columns, the most important ones first.
const COLUMNS: [Column; 5] = [
    Column::whole("ID"),
    Column::whole("STATUS"),
    Column::text("NAME"),
    Column::whole("URL"),
    Column::whole("LANGUAGE"),
];

/// Lists the websites, page by page.
pub(super) async fn websites(paging: &Paging, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let limit = paging.limit(false);
    let request = connection.client.list_websites().limit(page_size(limit)).page_token(paging.page_token.as_ref());
    let walk = Walk::new("websites", request.pages(), paging, limit, screen);
    let count = print_list(walk, Table::new(COLUMNS, terminal_width()), row).await?;
    if count == 0 {
        let step = connection.dashboard_url.as_deref().map_or_else(
            || "ask the operator of the server to create a website".to_owned(),
            |url| format!("create a website in the dashboard, {url}"),
        );
        screen.mention(&step);
    }
    Ok(())
}

fn row(website: &Website) -> [String; COLUMNS.len()] {
    let Website { website_id, status, language, name, url, .. } = website;
    [website_id.clone(), status.to_string(), name.clone(), url.clone(), language.clone()]
}
