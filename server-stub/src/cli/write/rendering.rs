//! Formats an article for printing.

use std::fmt::Write as _;

use askama::Template;

use crate::config::ArticleFormat;
use crate::domain::voice::SupportedLanguage;
use crate::domain::written_article::WrittenArticle;
use crate::generation::assemble::escape;

#[derive(Template)]
#[template(path = "cli/write/article.html")]
struct Page<'a> {
    article: &'a WrittenArticle,
    questions: &'static str,
}

/// Returns the article in that format, with a line break at its end.
pub(super) fn render(article: &WrittenArticle, format: ArticleFormat) -> String {
    match format {
        ArticleFormat::Markdown => markdown(article),
        ArticleFormat::Html => {
            let page = Page { article, questions: SupportedLanguage::questions_heading(&article.language) };
            page.render().expect("writing to a string does not fail") + "\n"
        }
        ArticleFormat::Json => {
            serde_json::to_string_pretty(article).expect("texts and numbers always serialize") + "\n"
        }
    }
}

fn markdown(article: &WrittenArticle) -> String {
    let mut text = format!("# {}\n\n{}", escape(&article.title), article.content_markdown);
    if !article.faq.is_empty() {
        let _ = write!(text, "\n## {}\n", SupportedLanguage::questions_heading(&article.language));
    }
    for entry in &article.faq {
        let _ = write!(text, "\n### {}\n\n{}\n", escape(&entry.question), escape(&entry.answer));
    }
    text
}
