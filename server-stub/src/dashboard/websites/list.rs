//! List of websites.

use askama::Template;

use super::super::error::Result;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::paging::Paging;
use super::super::visit::Visit;
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::search::Search;
use crate::domain::store::WebsiteFilter;

const PATH: &str = "/dashboard/websites";

#[derive(Template)]
#[template(path = "dashboard/websites/list.html")]
struct ListPage<'a> {
    layout: Layout,
    search: &'a str,
    status: &'a str,
    is_filtered: bool,
    websites: Vec<Website>,
    paging: Paging,
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let (search, status) = (query.text("search"), query.text("status"));
    let filter = WebsiteFilter { search: Search::parse(search), status: WebsiteStatus::parse(status) };
    let token = query.page_token();
    let page = visit.app().find_websites(visit.account(), &filter, token).await?;
    let path = format!("{}{PATH}", visit.base());
    Ok(visit.page(&ListPage {
        layout: visit.layout("Websites", Section::Websites),
        search,
        status,
        is_filtered: filter != WebsiteFilter::default(),
        paging: Paging::new(&path, &query, &["search", "status"], page.next_page.as_deref()),
        websites: page.items,
    }))
}
