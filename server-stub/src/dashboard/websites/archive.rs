//! Pausing, activating and archiving a website. Archiving requires a confirmation.

use askama::Template;
use axum::extract::Path;

use super::super::error::{Failure, Result};
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use crate::domain::account::{Website, WebsiteStatus};

#[derive(Template)]
#[template(path = "dashboard/websites/archive.html")]
struct ArchivePage {
    layout: Layout,
    website: Website,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(website_id): Path<String>) -> Result {
    let website = visit.app().website(visit.account(), &website_id).await?;
    Ok(visit.page(&ArchivePage { layout: visit.layout("Archive a website", Section::Websites), website }))
}

/// Sets the website's state.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(website_id): Path<String>, form: Form) -> Result {
    let website = visit.app().website(visit.account(), &website_id).await?;
    let status = WebsiteStatus::parse(form.text("status"))
        .ok_or_else(|| Failure::Refused("A website is active, paused or archived.".to_owned()))?;
    visit.app().set_website_status(visit.account(), &website.website_id, status).await?;
    let notice = match status {
        WebsiteStatus::Active => Notice::WebsiteActivated,
        WebsiteStatus::Paused => Notice::WebsitePaused,
        WebsiteStatus::Archived => Notice::WebsiteArchived,
    };
    Ok(visit.redirect(&format!("/dashboard/websites/{website_id}"), Some(notice)))
}
