//! Archiving an article, after a confirmation, and restoring it as a draft.

use askama::Template;
use axum::extract::Path;

use super::super::error::{Failure, Result};
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use crate::domain::article::{Article, ArticleStatus};

#[derive(Template)]
#[template(path = "dashboard/articles/archive.html")]
struct ArchivePage {
    layout: Layout,
    article: Article,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(article_id): Path<String>) -> Result {
    let article = visit.app().article(&visit.scope(), &article_id).await?;
    if article.status == ArticleStatus::Archived {
        return Err(Failure::Refused("The article is archived already.".to_owned()));
    }
    Ok(visit.page(&ArchivePage { layout: visit.layout("Archive an article", Section::Articles), article }))
}

/// Archives the article.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(article_id): Path<String>) -> Result {
    if !visit.app().archive_article(&visit.scope(), &article_id).await? {
        let text = "The article is archived already, or it is being published. Try again in a minute.";
        return Err(Failure::Refused(text.to_owned()));
    }
    Ok(visit.redirect(&format!("/dashboard/articles/{article_id}"), Some(Notice::ArticleArchived)))
}

/// Restores the article as a draft.
pub(in crate::dashboard) async fn restore(visit: Visit, Path(article_id): Path<String>) -> Result {
    if !visit.app().restore_article(&visit.scope(), &article_id).await? {
        return Err(Failure::Refused("The article is not archived.".to_owned()));
    }
    Ok(visit.redirect(&format!("/dashboard/articles/{article_id}"), Some(Notice::ArticleRestored)))
}
