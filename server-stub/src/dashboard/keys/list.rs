//! List of keys.

use std::collections::HashMap;

use askama::Template;

use super::super::error::Result;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::paging::Paging;
use super::super::time::DisplayTime;
use super::super::visit::Visit;
use crate::app::KeyQuery;
use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiKey, KeyState, Permission};
use crate::domain::search::{MAX_SEARCH_CHARS, Search};

const PATH: &str = "/dashboard/keys";

#[derive(Template)]
#[template(path = "dashboard/keys/list.html")]
struct ListPage<'a> {
    layout: Layout,
    search: &'a str,
    max_search_chars: usize,
    state: &'a str,
    is_filtered: bool,
    keys: Vec<Row>,
    paging: Paging,
}

/// Key in the list.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) last4: String,
    pub(super) scopes: Vec<&'static str>,
    /// Names of the websites to which the key is restricted; empty if it is unrestricted.
    pub(super) websites: Vec<String>,
    pub(super) created: DisplayTime,
    pub(super) last_used: Option<DisplayTime>,
    pub(super) expires: Option<DisplayTime>,
    pub(super) revoked: Option<DisplayTime>,
    pub(super) state: KeyState,
}

impl Row {
    /// Creates the row of a key; `names` maps website ids to names.
    pub(super) fn new(key: ApiKey, names: &HashMap<String, String>, now: Timestamp) -> Self {
        let state = key.state(now);
        let website_ids = key.website_ids.unwrap_or_default();
        Self {
            id: key.id,
            name: key.name,
            last4: key.last4,
            scopes: key.permissions.iter().map(|permission| permission.as_str()).collect(),
            websites: website_ids.into_iter().map(|id| names.get(&id).cloned().unwrap_or(id)).collect(),
            created: key.created_at.into(),
            last_used: key.last_used_at.map(DisplayTime::from),
            expires: key.expires_at.map(DisplayTime::from),
            revoked: key.revoked_at.map(DisplayTime::from),
            state,
        }
    }
}

/// Returns the names of the account's websites by their ids.
pub(super) async fn website_names(visit: &Visit) -> Result<HashMap<String, String>> {
    let websites = visit.app().websites(visit.account()).await?;
    Ok(websites.into_iter().map(|website| (website.website_id, website.name)).collect())
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let (search, state) = (query.text("search"), query.text("state"));
    let wanted = KeyQuery { search: Search::parse(search), state: KeyState::parse(state) };
    let token = query.page_token();
    let page = visit.app().find_keys(visit.account(), &wanted, token).await?;
    let names = website_names(&visit).await?;
    let now = visit.app().clock().wall();
    let path = format!("{}{PATH}", visit.base());
    Ok(visit.page(&ListPage {
        layout: visit.layout("Keys", Section::Keys),
        search,
        max_search_chars: MAX_SEARCH_CHARS,
        state,
        is_filtered: wanted != KeyQuery::default(),
        paging: Paging::new(&path, &query, &["search", "state"], page.next_page.as_deref()),
        keys: page.items.into_iter().map(|key| Row::new(key, &names, now)).collect(),
    }))
}
