//! `articles get`: prints an article in one of several forms.

use std::path::{Path, PathBuf};

use contentgen_sdk::{Response, types};
use serde_json::json;

use super::article_text::{markdown, summary};
use super::raw::raw;
use crate::arguments::{Article, Format};
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Privacy, Screen, Sink};
use crate::text::{plain, visible};

/// Reads the article and writes it.
pub(super) async fn article(options: Article, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let article = connection.client.get_article(&options.id).send().await?;
    ArticleOutput::begin(options.format, options.output)?.write(&article, screen)
}

/// Destination and format of an article.
pub(super) struct ArticleOutput {
    format: Format,
    path: Option<PathBuf>,
    sink: Sink,
}

impl ArticleOutput {
    /// Opens the destination. Writes nothing yet.
    pub(super) fn begin(format: Format, path: Option<PathBuf>) -> Result<Self, Failure> {
        let sink = Sink::open(path.as_deref(), Privacy::Usual)?;
        Ok(Self { format, path, sink })
    }

    /// Writes the article and reports the path of the file.
    pub(super) fn write(self, article: &Response<types::Article>, screen: Screen) -> Result<(), Failure> {
        let Self { format, path, mut sink } = self;
        let text = if screen.is_json { screen.document(&raw(article)) } else { text(article, format)? };
        if sink.is_file() || screen.is_json {
            sink.write(&text)?;
        } else {
            sink.write(&visible(&text))?;
        }
        let is_new_file = matches!(sink, Sink::File(_));
        sink.finish()?;
        if is_new_file {
            let path = path.as_deref().unwrap_or(Path::new("-")).display().to_string();
            screen.note(&format!("wrote {path}"), "written", &json!({ "file": path }));
        }
        Ok(())
    }
}

/// Formats the article. Fails if the server did not send the fields that the format needs.
fn text(article: &types::Article, format: Format) -> Result<String, Failure> {
    let missing = |member: &str| {
        let failure = Failure::new(Exit::Failed, format!("the server sent the article without {member}"));
        failure.advise("try another --format, or --json for all fields")
    };
    match format {
        Format::Summary => Ok(summary(article)),
        Format::Html => {
            let html = article.content_html.as_deref().ok_or_else(|| missing("content_html"))?;
            Ok(format!("{}\n", html.trim_end()))
        }
        Format::Markdown | Format::Text if article.content_markdown.is_none() => Err(missing("content_markdown")),
        Format::Markdown => Ok(markdown(article)),
        Format::Text => Ok(plain(&markdown(article))),
    }
}
