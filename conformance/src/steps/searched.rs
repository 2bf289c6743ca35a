//! Searches all pages of a list for one row: a page may be short, or empty while another follows.

use serde_json::Value;

use super::lists::{List, next_of, rows, with_token};
use crate::check::{Context, Credential, Halt, demand};

/// Maximum number of pages that are searched.
const MAX_PAGES: usize = 100;

/// Returns the first wanted row of `query` in the list that the key can read.
pub(crate) async fn row(
    context: &Context,
    list: List,
    query: &str,
    credential: Credential,
    wanted: impl Fn(&Value) -> bool,
) -> Result<Option<Value>, Halt> {
    let mut next = query.to_owned();
    for _ in 0..MAX_PAGES {
        let exchange = context.send(list.page(&next).by(credential.clone())).await?;
        demand::status(&exchange, 200)?;
        let page = demand::json(&exchange)?;
        if let Some(found) = rows(page).iter().find(|row| wanted(row)) {
            return Ok(Some(found.clone()));
        }
        match next_of(page) {
            Some(token) => next = with_token(query, token),
            None => break,
        }
    }
    Ok(None)
}

/// Returns the website under test, as the list of websites shows it.
pub(crate) async fn own_website(context: &Context) -> Result<Value, Halt> {
    let id = &context.facts().website_id;
    let list = List::named("/websites");
    let found = row(context, list, "limit=100", Credential::Main, |row| row[list.id] == id.as_str()).await?;
    found.ok_or_else(|| Halt::inconclusive(format!("the website {id} is not in the list of websites")))
}
