//! `leads`: lists leads page by page, as a table, as CSV or as JSON.

use contentgen_sdk::Client;
use contentgen_sdk::operations::ListLeads;
use serde_json::json;

use super::lead_rows::{Cells, Rows};
use super::listing::page_size;
use crate::arguments::Leads;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::{Privacy, Screen, Sink};

/// Checks that the options fit together. The parser cannot check this, because `--json` is an option of all commands.
pub(super) fn check(options: &Leads, screen: Screen) -> Result<(), Failure> {
    if options.csv && screen.is_json {
        return Err(Failure::usage("--csv and --json cannot be used together; leave one out"));
    }
    Ok(())
}

/// Reads the pages and writes each one as soon as it arrives.
pub(super) async fn leads(options: &Leads, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let mut sink = Sink::open(options.output.as_deref(), Privacy::Personal)?;
    // Control characters would affect a terminal even if the user asked for raw output.
    let is_raw = options.raw && !sink.is_terminal();
    let cells = if is_raw { Cells::Raw } else { Cells::Harmless { is_file: sink.is_file() } };
    let mut rows = Rows::new(options.csv.then_some(cells), screen.is_json);
    sink.write(&rows.head()?)?;
    let most = options.limit.unwrap_or(usize::MAX);
    let mut count = 0;
    let mut pages = request(options, &connection.client).pages();
    while count < most {
        let Some(page) = pages.next().await.transpose()? else { break };
        let left = most - count;
        count += page.items.len().min(left);
        sink.write(&rows.page(&page, left)?)?;
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

/// Builds the call with the given filters.
fn request<'a>(options: &Leads, client: &'a Client) -> ListLeads<'a> {
    let mut request = client.list_leads().limit(page_size(options.limit));
    if let Some(since) = options.since {
        request = request.captured_since(since.time());
    }
    if let Some(until) = options.until {
        request = request.captured_until(until.time());
    }
    if let Some(since) = options.updated_since {
        request = request.updated_since(since.time());
    }
    if let Some(article_id) = &options.article_id {
        request = request.article_id(article_id);
    }
    if let Some(website_id) = &options.website_id {
        request = request.website_id(website_id);
    }
    request
}
