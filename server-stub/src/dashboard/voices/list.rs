//! List of profiles.

use askama::Template;

use super::super::error::Result;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::paging::Paging;
use super::super::time::DisplayTime;
use super::super::visit::Visit;
use crate::app::ListedVoice;
use crate::domain::search::Search;

const PATH: &str = "/dashboard/voices";
/// Maximum number of websites named in a row; the others are only counted.
const SHOWN_WEBSITES: usize = 3;

#[derive(Template)]
#[template(path = "dashboard/voices/list.html")]
struct ListPage<'a> {
    layout: Layout,
    search: &'a str,
    voices: Vec<Row>,
    paging: Paging,
}

struct Row {
    id: String,
    name: String,
    audience: String,
    is_default: bool,
    version: u32,
    websites: Vec<(String, String)>,
    more_websites: usize,
    saved_at: DisplayTime,
    saved_by: String,
}

impl From<ListedVoice> for Row {
    fn from(ListedVoice { saved, websites }: ListedVoice) -> Self {
        let profile = saved.profile;
        Self {
            id: profile.id,
            name: profile.name,
            audience: profile.audience,
            is_default: profile.is_default,
            version: profile.version,
            more_websites: websites.len().saturating_sub(SHOWN_WEBSITES),
            websites: websites
                .into_iter()
                .take(SHOWN_WEBSITES)
                .map(|website| (website.website_id, website.website_name))
                .collect(),
            saved_at: saved.saved_at.into(),
            saved_by: saved.saved_by.into_inner(),
        }
    }
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let search = query.text("search");
    let token = query.page_token();
    let page = visit.app().find_voices(visit.account(), Search::parse(search).as_ref(), token).await?;
    let path = format!("{}{PATH}", visit.base());
    Ok(visit.page(&ListPage {
        layout: visit.layout("Brand DNA", Section::Voices),
        search,
        paging: Paging::new(&path, &query, &["search"], page.next_page.as_deref()),
        voices: page.items.into_iter().map(Row::from).collect(),
    }))
}
