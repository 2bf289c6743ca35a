//! `write`: writes an article in the terminal, as the server does.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use askama::Template;
use serde_json::json;

use crate::app::{Document, Place};
use crate::cli::failure::{Exit, Failure};
use crate::cli::{text_file, voice, writer};
use crate::config::{ArticleFormat, Write};
use crate::domain::voice::{BrandVoice, SupportedLanguage};
use crate::domain::written_article::WrittenArticle;
use crate::generation::assemble::escape;
use crate::generation::{ArticleBrief, BriefWebsite, OfflineWriter, write_article};

/// The options with their field names in the API.
const OPTIONS: [(&str, &str); 4] = [
    ("#/topic", "--topic"),
    ("#/keywords", "--keyword"),
    ("#/target_word_count", "--words"),
    ("#/language", "--language"),
];

pub(super) async fn write(options: &Write) -> Result<(), Failure> {
    let brief = brief(options)?;
    let generator = writer::generator(&options.writer)?.unwrap_or_else(|| Arc::new(OfflineWriter));
    let article = write_article(generator.as_ref(), &brief).await;
    let article = article.map_err(|error| {
        Failure::new(Exit::Failed, format!("cannot write the article ({}): {error}", error.code.as_str()))
    })?;
    text_file::write(options.output.as_deref(), &render(&article, options.format))?;
    // Ignore an error: standard error may be closed.
    let _ = writeln!(std::io::stderr().lock(), "{}", summary(&article));
    Ok(())
}

fn summary(article: &WrittenArticle) -> String {
    let measured = article.voice.checks.iter().filter(|check| check.observed.is_some()).count();
    format!(
        "{} words by {}; {measured} rules of the voice were measured and kept",
        article.word_count, article.generator
    )
}

/// Returns the brief for the writer. The options have the same limits as in the API.
fn brief(options: &Write) -> Result<ArticleBrief, Failure> {
    let topic = match options.topic.as_str() {
        "-" => text_file::read(Path::new("-"))?.trim().to_owned(),
        topic => topic.to_owned(),
    };
    let keywords: Vec<String> = options.keywords.iter().map(|keyword| keyword.trim().to_owned()).collect();
    let order = json!({
        "topic": topic, "website_id": "web_1", "language": options.language, "keywords": keywords,
        "target_word_count": options.words,
    });
    let mut wrong = String::new();
    for violation in Document::embedded().generate.check(&order, true).listed() {
        let Place::Pointer(pointer) = &violation.place else { continue };
        let option = OPTIONS.iter().find(|(member, _)| pointer.starts_with(member));
        let _ = write!(wrong, "\n  {}: {}", option.map_or("", |(_, option)| option), violation.detail);
    }
    if !wrong.is_empty() {
        return Err(Failure::new(Exit::Usage, format!("these options are not valid:{wrong}")));
    }
    Ok(ArticleBrief {
        topic,
        language: options.language.clone(),
        keywords,
        target_word_count: options.words,
        metadata: None,
        website: BriefWebsite {
            website_id: String::new(),
            name: options.website_name.clone(),
            url: options.website_url.absolute(""),
        },
        voice: options.voice.as_deref().map_or_else(|| Ok(BrandVoice::default()), voice::read)?,
        published: Vec::new(),
    })
}

#[derive(Template)]
#[template(path = "cli/article.html")]
struct Page<'a> {
    article: &'a WrittenArticle,
    questions: &'static str,
}

/// Returns the article in that format, with a line break at its end.
fn render(article: &WrittenArticle, format: ArticleFormat) -> String {
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
