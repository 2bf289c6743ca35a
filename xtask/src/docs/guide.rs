//! The guides that are written by hand in `docs/`. How a page looks is told elsewhere.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use pulldown_cmark::HeadingLevel;

use super::markup::markdown;

/// A guide, read from `docs/NAME.md`.
#[derive(Debug)]
pub(super) struct Guide {
    /// The file's name without its ending.
    pub(super) name: String,
    /// The text of its first heading.
    pub(super) title: String,
    /// Its body as HTML.
    pub(super) body: String,
}

/// Reads all guides of a folder, by name.
pub(super) fn read(folder: &Path) -> Result<Vec<Guide>> {
    let mut guides = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            let name =
                path.file_stem().and_then(|name| name.to_str()).context("a guide has a readable name")?.to_owned();
            guides.push(guide(name, &text));
        }
    }
    guides.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(guides)
}

fn guide(name: String, text: &str) -> Guide {
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(&name).trim().to_owned();
    // Guides link each other by their sources' names, so that the links work in the repository too.
    let body = markdown(text, HeadingLevel::H1).replace(".md\"", ".html\"").replace(".md#", ".html#");
    Guide { name, title, body: format!("<div class=\"prose\">{body}</div>") }
}
