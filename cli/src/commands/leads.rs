//! `leads`: page by page, as a table, as CSV or as JSON.

use contentgen_sdk::Client;
use contentgen_sdk::operations::ListLeads;
use serde_json::json;

use super::lead_rows::Rows;
use crate::arguments::Leads;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::{Privacy, Screen, Sink};

/// The most leads on a page.
const PAGE: usize = 100;

/// Whether the options fit together. `--json` stands beside every command, so this is not seen by the command line's parser.
pub(super) fn check(options: &Leads, screen: Screen) -> Result<(), Failure> {
    if options.csv && screen.is_json {
        return Err(Failure::usage("--csv and --json exclude each other"));
    }
    Ok(())
}

/// Walks over the pages and writes each as it comes.
pub(super) async fn leads(options: &Leads, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let mut sink = Sink::open(options.output.as_deref(), Privacy::Personal)?;
    let mut rows = Rows::new(options.csv, screen.is_json);
    sink.write(&rows.head()?)?;
    let most = options.limit.unwrap_or(usize::MAX);
    let mut count = 0;
    let mut pages = request(options, &connection.client).pages();
    while count < most {
        let Some(mut page) = pages.next().await.transpose()? else { break };
        page.items.truncate(most - count);
        count += page.items.len();
        sink.write(&rows.page(&page)?)?;
    }
    sink.finish()?;
    let words = match (count, &options.output) {
        (0, _) => "no leads".to_owned(),
        (count, Some(path)) => format!("leads: {count}, in {}", path.display()),
        (count, None) => format!("leads: {count}"),
    };
    screen.note(&words, "listed", &json!({ "leads": count }));
    Ok(())
}

/// The call with the filters that were given.
fn request<'a>(options: &Leads, client: &'a Client) -> ListLeads<'a> {
    let page = u32::try_from(options.limit.unwrap_or(PAGE).clamp(1, PAGE)).unwrap_or_default();
    let mut request = client.list_leads().limit(page);
    if let Some(since) = options.since {
        request = request.captured_since(since.time());
    }
    if let Some(until) = options.until {
        request = request.captured_until(until.time());
    }
    if let Some(article_id) = &options.article_id {
        request = request.article_id(article_id);
    }
    if let Some(website_id) = &options.website_id {
        request = request.website_id(website_id);
    }
    request
}
