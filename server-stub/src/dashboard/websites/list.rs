//! List of websites, and their states. Archiving requires a confirmation.

use askama::Template;
use axum::extract::Path;

use super::super::{Failure, Form, Layout, Notice, Paging, Result, Section, Visit};
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
    Ok(visit.page(&ListPage {
        layout: visit.layout("Websites", Section::Websites),
        search,
        status,
        is_filtered: filter != WebsiteFilter::default(),
        paging: visit.paging(PATH, &query, &["search", "status"], page.next_page.as_deref()),
        websites: page.items,
    }))
}

#[derive(Template)]
#[template(path = "dashboard/websites/archive.html")]
struct ArchivePage {
    layout: Layout,
    website: Website,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show_archiving(visit: Visit, Path(website_id): Path<String>) -> Result {
    let website = visit.app().website(visit.account(), &website_id).await?;
    Ok(visit.page(&ArchivePage { layout: visit.layout("Archive a website", Section::Websites), website }))
}

/// Sets the website's state.
pub(in crate::dashboard) async fn set_status(visit: Visit, Path(website_id): Path<String>, form: Form) -> Result {
    let website = visit.app().website(visit.account(), &website_id).await?;
    let status = WebsiteStatus::parse(form.text("status"))
        .ok_or_else(|| Failure::Refused("A website is active, paused or archived.".to_owned()))?;
    visit.app().set_website_status(visit.account(), &website.website_id, status).await?;
    let notice = match status {
        WebsiteStatus::Active => Notice::WebsiteActivated,
        WebsiteStatus::Paused => Notice::WebsitePaused,
        WebsiteStatus::Archived => Notice::WebsiteArchived,
    };
    Ok(visit.redirect(&format!("/dashboard/websites/{website_id}"), notice))
}
