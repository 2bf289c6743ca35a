//! Downloads of an article, and the page of an edited one for its preview.

use askama::Template;
use axum::body::Body;
use axum::extract::Path;
use axum::response::Response;

use super::super::{Result, Visit, layout};
use crate::domain::article::Article;
use crate::domain::voice::SupportedLanguage;
use crate::domain::written_article::{WrittenArticle, slugify};

#[derive(Template)]
#[template(path = "dashboard/articles/download.html")]
struct File<'a> {
    content: &'a WrittenArticle,
    questions: &'static str,
    /// Address of the style sheet; a download has none.
    style: Option<&'a str>,
}

/// Returns the content as a standalone HTML page.
pub(super) fn page(content: &WrittenArticle, style: Option<&str>) -> String {
    let questions = SupportedLanguage::questions_heading(&content.language);
    File { content, questions, style }.render().expect("the template writes to a string")
}

/// Returns the article as Markdown, with its title as heading.
pub(in crate::dashboard) async fn markdown(visit: Visit, Path(article_id): Path<String>) -> Result {
    let article = visit.app().article(&visit.visibility(), &article_id).await?;
    let mut text = format!("# {}\n\n{}\n", article.content.title, article.content.content_markdown.trim_end());
    if !article.content.faq.is_empty() {
        text.extend(["\n## ", SupportedLanguage::questions_heading(&article.content.language), "\n"]);
    }
    for entry in &article.content.faq {
        text.extend(["\n### ", &entry.question, "\n\n", &entry.answer, "\n"]);
    }
    Ok(file(&article, "md", "text/markdown; charset=utf-8", text))
}

/// Returns the article as a standalone HTML page.
pub(in crate::dashboard) async fn html(visit: Visit, Path(article_id): Path<String>) -> Result {
    let article = visit.app().article(&visit.visibility(), &article_id).await?;
    let text = page(&article.content, None);
    Ok(file(&article, "html", "text/html; charset=utf-8", text))
}

fn file(article: &Article, extension: &str, media_type: &'static str, text: String) -> Response {
    layout::download(&format!("{}.{extension}", slugify(&article.content.slug)), media_type, Body::from(text))
}
