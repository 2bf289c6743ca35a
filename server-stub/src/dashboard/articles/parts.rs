//! One article with a tab for each part: preview, voice report, facts, structured data and text. Archiving it and restoring it.

use askama::Template;
use axum::extract::Path;

use super::super::voices::labels;
use super::super::{DisplayTime, Failure, Layout, Notice, Result, Section, Visit};
use crate::domain::account::Website;
use crate::domain::article::{Article, ArticleStatus};
use crate::domain::clock::Timestamp;
use crate::domain::store::UpdateState;
use crate::domain::time_zone::TimeZone;

/// Part of an article that a tab shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Preview,
    Voice,
    Facts,
    StructuredData,
    Text,
}

impl Part {
    /// Tabs: the part, the suffix of its path, and its label.
    const TABS: [(Self, &'static str, &'static str); 5] = [
        (Self::Preview, "", "Preview"),
        (Self::Voice, "/voice", "Voice report"),
        (Self::Facts, "/facts", "Facts"),
        (Self::StructuredData, "/structured-data", "Structured data"),
        (Self::Text, "/text", "Text"),
    ];
}

#[derive(Template)]
#[template(path = "dashboard/articles/parts.html")]
struct ArticlePage {
    layout: Layout,
    article: Article,
    website: Website,
    part: Part,
    /// Edit that the target of the website has not accepted yet.
    update: Option<UpdateState>,
    /// Address of the preview's frame; empty for other parts.
    preview: String,
    zone: TimeZone,
}

impl ArticlePage {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "a template hands over references")]
    fn time(&self, time: &Timestamp) -> DisplayTime {
        DisplayTime::in_zone(*time, self.zone)
    }

    fn pretty_json_ld(&self) -> String {
        serde_json::to_string_pretty(&self.article.content.json_ld).unwrap_or_default()
    }
}

/// Shows the article as readers see it.
pub(in crate::dashboard) async fn preview(visit: Visit, Path(article_id): Path<String>) -> Result {
    show(&visit, &article_id, Part::Preview).await
}

/// Shows which rules of the Brand DNA profile the article follows.
pub(in crate::dashboard) async fn voice(visit: Visit, Path(article_id): Path<String>) -> Result {
    show(&visit, &article_id, Part::Voice).await
}

/// Shows all facts about the article.
pub(in crate::dashboard) async fn facts(visit: Visit, Path(article_id): Path<String>) -> Result {
    show(&visit, &article_id, Part::Facts).await
}

/// Shows the structured data for search engines.
pub(in crate::dashboard) async fn structured_data(visit: Visit, Path(article_id): Path<String>) -> Result {
    show(&visit, &article_id, Part::StructuredData).await
}

/// Shows the text as Markdown.
pub(in crate::dashboard) async fn text(visit: Visit, Path(article_id): Path<String>) -> Result {
    show(&visit, &article_id, Part::Text).await
}

async fn show(visit: &Visit, article_id: &str, part: Part) -> Result {
    let article = visit.app().article(&visit.visibility(), article_id).await?;
    let website = visit.app().website(visit.account(), &article.website_id).await?;
    let preview = match part {
        Part::Preview => visit.link_to_site(&visit.app().preview_path(&article)),
        _ => String::new(),
    };
    let update = visit.app().article_update(&article).await?;
    let title = article.content.title.clone();
    let zone = TimeZone::or_utc(&website.time_zone);
    let layout = visit.layout(title, Section::Articles);
    Ok(visit.page(&ArticlePage { layout, article, website, part, update, preview, zone }))
}

#[derive(Template)]
#[template(path = "dashboard/articles/archive.html")]
struct ArchivePage {
    layout: Layout,
    article: Article,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show_archiving(visit: Visit, Path(article_id): Path<String>) -> Result {
    let article = visit.app().article(&visit.visibility(), &article_id).await?;
    if article.status == ArticleStatus::Archived {
        return Err(Failure::Refused("The article is archived already.".to_owned()));
    }
    Ok(visit.page(&ArchivePage { layout: visit.layout("Archive an article", Section::Articles), article }))
}

/// Archives the article.
pub(in crate::dashboard) async fn archive(visit: Visit, Path(article_id): Path<String>) -> Result {
    if !visit.app().archive_article(&visit.visibility(), &article_id).await? {
        let text = "The article is archived already, or it is being published. Try again in a minute.";
        return Err(Failure::Refused(text.to_owned()));
    }
    Ok(visit.redirect(&format!("/dashboard/articles/{article_id}"), Notice::ArticleArchived))
}

/// Restores the article as a draft.
pub(in crate::dashboard) async fn restore(visit: Visit, Path(article_id): Path<String>) -> Result {
    if !visit.app().restore_article(&visit.visibility(), &article_id).await? {
        return Err(Failure::Refused("The article is not archived.".to_owned()));
    }
    Ok(visit.redirect(&format!("/dashboard/articles/{article_id}"), Notice::ArticleRestored))
}

/// Sends an edit again that the target did not accept.
pub(in crate::dashboard) async fn resend(visit: Visit, Path(article_id): Path<String>) -> Result {
    if !visit.app().resend_article(&visit.visibility(), &article_id).await? {
        return Err(Failure::Refused("There is no change of the article that was refused.".to_owned()));
    }
    Ok(visit.redirect(&format!("/dashboard/articles/{article_id}"), Notice::ArticleResent))
}
