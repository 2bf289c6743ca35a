//! `websites`: lists the websites that articles can be written for.

use contentgen_sdk::types::Website;

use super::raw::raw_items;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::{Screen, print};
use crate::text::{Table, line};

/// Lists the websites, page by page.
pub(super) async fn websites(connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let mut pages = connection.client.list_websites().pages();
    let mut table = Table::new(["ID", "STATUS", "LANGUAGE", "NAME", "URL"]);
    let mut count = 0;
    while let Some(page) = pages.next().await.transpose()? {
        count += page.items.len();
        let text: String = if screen.is_json {
            raw_items(&page).iter().map(line).collect()
        } else {
            table.rows(&page.items.iter().map(row).collect::<Vec<_>>())
        };
        print(&text)?;
    }
    if count == 0 {
        let step = connection.dashboard_url.as_deref().map_or_else(
            || "ask the operator of the server to create one".to_owned(),
            |url| format!("create one in the dashboard, {url}"),
        );
        screen.mention(&format!("no websites; {step}"));
    }
    Ok(())
}

fn row(website: &Website) -> [String; 5] {
    let Website { website_id, status, language, name, url, .. } = website;
    [website_id.clone(), status.to_string(), language.clone(), name.clone(), url.clone()]
}
