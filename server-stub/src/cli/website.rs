//! `website list` and `website set`: what an owner sees and changes of a website.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;

use super::failure::Failure;
use super::run::print;
use super::table::table;
use crate::app::App;
use crate::config::{ListWebsites, SetWebsite};
use crate::domain::account::Website;
use crate::domain::duration;

pub(super) async fn list(app: &App, options: &ListWebsites) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    let websites = app.websites(&account).await?;
    if options.json {
        return print(&websites.iter().fold(String::new(), |mut text, website| {
            let _ = writeln!(text, "{}", object(website));
            text
        }));
    }
    let rows: Vec<_> = websites.iter().map(row).collect();
    print(&table(["website", "status", "name", "url", "lead_retention"], &rows))
}

fn row(website: &Website) -> [String; 5] {
    [
        website.website_id.clone(),
        website.status.as_str().to_owned(),
        website.name.clone(),
        website.url.clone(),
        shown(website.lead_retention),
    ]
}

fn object(website: &Website) -> serde_json::Value {
    json!({
        "website_id": website.website_id,
        "status": website.status,
        "name": website.name,
        "url": website.url,
        "lead_retention": shown(website.lead_retention),
        "created_at": website.created_at,
    })
}

pub(super) async fn set(app: &App, options: &SetWebsite) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    app.set_lead_retention(&account, &options.id, options.lead_retention.0).await?;
    print(&format!("website_id: {}\nlead_retention: {}\n", options.id, shown(options.lead_retention.0)))
}

fn shown(retention: Option<Duration>) -> String {
    retention.map_or_else(|| "forever".to_owned(), duration::show)
}
