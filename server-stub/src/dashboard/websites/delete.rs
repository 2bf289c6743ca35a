//! Deletion of a website: the page that confirms it, and the form.

use askama::Template;
use axum::extract::Path;

use super::super::{FieldErrors, Form, Layout, Notice, Result, Section, Visit};
use crate::domain::account::Website;
use crate::domain::store::DeletionCounts;

#[derive(Template)]
#[template(path = "dashboard/websites/delete.html")]
struct DeletePage {
    layout: Layout,
    website: Website,
    counts: DeletionCounts,
    errors: FieldErrors,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(website_id): Path<String>) -> Result {
    Ok(visit.page(&page(&visit, &website_id, FieldErrors::default()).await?))
}

/// Deletes the website.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(website_id): Path<String>, form: Form) -> Result {
    match visit.app().delete_website(visit.account(), &website_id, form.text("domain")).await {
        Ok(()) => Ok(visit.redirect("/dashboard/websites", Notice::WebsiteDeleted)),
        Err(error) => {
            let errors = FieldErrors::of_change(error, "domain")?;
            Ok(visit.form_again(&page(&visit, &website_id, errors).await?))
        }
    }
}

async fn page(visit: &Visit, website_id: &str, errors: FieldErrors) -> Result<DeletePage> {
    let (website, counts) = visit.app().website_to_delete(visit.account(), website_id).await?;
    Ok(DeletePage { layout: visit.layout("Delete a website", Section::Websites), website, counts, errors })
}
