//! Keys: the list, and revocation after a confirmation.

use std::collections::HashMap;

use askama::Template;
use axum::extract::Path;

use super::super::{DisplayTime, Form, Layout, Notice, Paging, Result, Section, Visit};
use crate::app::KeyQuery;
use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiKey, ApiScope, KeyState};
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
struct Row {
    id: String,
    name: String,
    last4: String,
    scopes: Vec<&'static str>,
    /// Names of the websites to which the key is restricted; empty if it is unrestricted.
    websites: Vec<String>,
    created: DisplayTime,
    last_used: Option<DisplayTime>,
    expires: Option<DisplayTime>,
    revoked: Option<DisplayTime>,
    state: KeyState,
}

impl Row {
    /// Creates the row of a key; `names` maps website ids to names.
    fn new(key: ApiKey, names: &HashMap<String, String>, now: Timestamp) -> Self {
        let state = key.state(now);
        let website_ids = key.website_ids.unwrap_or_default();
        Self {
            id: key.id,
            name: key.name,
            last4: key.last4,
            scopes: key.scopes.iter().map(|scope| scope.as_str()).collect(),
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
async fn website_names(visit: &Visit) -> Result<HashMap<String, String>> {
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
    Ok(visit.page(&ListPage {
        layout: visit.layout("Keys", Section::Keys),
        search,
        max_search_chars: MAX_SEARCH_CHARS,
        state,
        is_filtered: wanted != KeyQuery::default(),
        paging: visit.paging(PATH, &query, &["search", "state"], page.next_page.as_deref()),
        keys: page.items.into_iter().map(|key| Row::new(key, &names, now)).collect(),
    }))
}

#[derive(Template)]
#[template(path = "dashboard/keys/revoke.html")]
struct RevokePage {
    layout: Layout,
    key: Row,
}

/// Shows the confirmation page: programs that use the key stop working.
pub(in crate::dashboard) async fn show_revocation(visit: Visit, Path(key_id): Path<String>) -> Result {
    let key = visit.app().key(visit.account(), &key_id).await?;
    let now = visit.app().clock().wall();
    let key = Row::new(key, &website_names(&visit).await?, now);
    Ok(visit.page(&RevokePage { layout: visit.layout("Revoke a key", Section::Keys), key }))
}

/// Revokes the key.
pub(in crate::dashboard) async fn revoke(visit: Visit, Path(key_id): Path<String>) -> Result {
    // If another user has revoked the key meanwhile, this succeeds too.
    visit.app().revoke_key(visit.account(), &key_id).await?;
    Ok(visit.redirect("/dashboard/keys", Notice::KeyRevoked))
}
