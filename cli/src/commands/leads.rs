//! `leads`: lists leads page by page, as a table, as CSV or as JSON.

use contentgen_sdk::Client;
use contentgen_sdk::operations::ListLeads;

use super::lead_rows::{Cells, Rows};
use super::listing::{Walk, page_size};
use crate::arguments::{Leads, Moment};
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
    let mut rows = match (options.csv, screen.is_json) {
        (true, _) => Rows::Csv(cells),
        (false, true) => Rows::Json { screen, is_personal: options.show_personal || screen.has_chosen_fields() },
        (false, false) => Rows::table(options.show_personal, sink.width()),
    };
    sink.write(&rows.head()?)?;
    let limit = options.paging.limit(options.csv);
    let pages = request(options, &connection.client).limit(page_size(limit)).pages();
    let mut walk = Walk::new("leads", pages, &options.paging, limit, screen);
    while let Some((raw, leads)) = walk.page().await? {
        sink.write(&rows.page(&raw, &leads)?)?;
    }
    sink.finish()?;
    let count = walk.finish(options.output.as_deref())?;
    if count > 0 && !options.csv && !options.show_personal {
        screen.mention("personal data is hidden; --show-personal shows it");
    }
    Ok(())
}

/// Builds the call with the given filters.
fn request(options: &Leads, client: &Client) -> ListLeads {
    client
        .list_leads()
        .captured_since(options.since.map(Moment::time))
        .captured_until(options.until.map(Moment::time))
        .updated_since(options.updated_since.map(Moment::time))
        .article_id(options.article_id.as_ref())
        .website_id(options.website_id.as_ref())
        .page_token(options.paging.page_token.as_ref())
}
