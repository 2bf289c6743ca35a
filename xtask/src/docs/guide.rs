//! The guides: Markdown pages of the repository, in the order in which a reader needs them.

use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Tag, TagEnd};

use super::markup::{html, parse};

/// The guides by reader. A page's name is that of its file, or of its folder if the file is a README.
const GUIDES: [(&str, &[&str]); 4] = [
    (
        "Guides",
        &[
            "docs/getting-started.md",
            "docs/hooks.md",
            "docs/leads.md",
            "docs/errors.md",
            "docs/pagination-and-idempotency.md",
            "docs/limits.md",
            "docs/versioning.md",
            "docs/service.md",
        ],
    ),
    (
        "Programs",
        &[
            "sdk/README.md",
            "sdk/src/guide.md",
            "cli/README.md",
            "examples/README.md",
            "docs/tools.md",
            "docs/writing.md",
        ],
    ),
    (
        "For vendors",
        &[
            "docs/suite.md",
            "docs/conformance.md",
            "docs/prove.md",
            "faults/README.md",
            "conformance/README.md",
            "docs/compatibility.md",
            "docs/publish-the-reference.md",
        ],
    ),
    (
        "For operators",
        &[
            "docs/run-in-production.md",
            "docs/deploy.md",
            "docs/security.md",
            "docs/options.md",
            "docs/writer.md",
            "docs/publishing.md",
            "docs/reliability.md",
            "docs/benchmarks.md",
        ],
    ),
];

/// A guide, read from a Markdown file.
#[derive(Debug)]
pub(super) struct Guide {
    /// The page's name without its ending.
    pub(super) name: String,
    /// The text of its first heading.
    pub(super) title: String,
    /// Its body as HTML.
    pub(super) body: String,
}

/// Reads the guides of the workspace at `root`, by reader.
pub(super) fn read(root: &Path) -> Result<Vec<(&'static str, Vec<Guide>)>> {
    let groups = GUIDES.iter().map(|(title, files)| {
        let guides: Result<Vec<_>> = files.iter().map(|file| guide(root, file)).collect();
        Ok((*title, guides?))
    });
    groups.collect()
}

fn guide(root: &Path, file: &str) -> Result<Guide> {
    let path = root.join(file);
    let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(file).trim().to_owned();
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let events = without_hidden_lines(linked(parse(&text), folder));
    let body = html(events, HeadingLevel::H1);
    Ok(Guide { name: page_name(file), title, body: format!("<div class=\"prose\">{body}</div>") })
}

/// Returns the name of the page of a file: `sdk/README.md` is `sdk`, `sdk/src/guide.md` is `sdk-guide`.
fn page_name(file: &str) -> String {
    match file.trim_end_matches(".md") {
        "sdk/src/guide" => "sdk-guide".to_owned(),
        "conformance/README" => "suite-library".to_owned(),
        path => path.trim_end_matches("/README").rsplit('/').next().unwrap_or(path).to_owned(),
    }
}

/// Points links to pages, if their target has one. A link to another file of the repository becomes text, and so does a picture.
fn linked<'a>(events: Vec<Event<'a>>, folder: &Path) -> Vec<Event<'a>> {
    let mut is_kept = Vec::new();
    let mut output = Vec::new();
    for event in events {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let target = target(&dest_url, folder);
                is_kept.push(target.is_some());
                if let Some(target) = target {
                    let dest_url = CowStr::from(target);
                    output.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                }
            }
            Event::End(TagEnd::Link) => output.extend(is_kept.pop().unwrap_or(true).then_some(event)),
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            event => output.push(event),
        }
    }
    output
}

/// Returns where a link of a guide in `folder` leads to from a page of the guides; `None` without a page.
fn target(link: &str, folder: &Path) -> Option<String> {
    if link.starts_with("https://") || link.starts_with("http://") || link.starts_with('#') {
        return Some(link.to_owned());
    }
    let (file, anchor) =
        link.split_once('#').map_or((link, String::new()), |(file, anchor)| (file, format!("#{anchor}")));
    let mut path = PathBuf::new();
    for component in folder.join(file).components() {
        if component == Component::ParentDir {
            path.pop();
        } else {
            path.push(component);
        }
    }
    let file = path.to_str()?;
    match file {
        "openapi.yaml" => Some("../openapi.yaml".to_owned()),
        _ if GUIDES.iter().any(|(_, files)| files.contains(&file)) => Some(format!("{}.html{anchor}", page_name(file))),
        _ => None,
    }
}

/// Leaves out the lines of Rust examples that rustdoc hides.
fn without_hidden_lines(events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let mut is_rust = false;
    let hidden = |line: &&str| line.trim() == "#" || line.trim_start().starts_with("# ");
    let shown = events.into_iter().map(|event| match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
            is_rust = language.starts_with("rust");
            let language = if is_rust { CowStr::from("rust") } else { language };
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language)))
        }
        Event::End(TagEnd::CodeBlock) => {
            is_rust = false;
            event
        }
        Event::Text(text) if is_rust => {
            Event::Text(CowStr::from(text.split_inclusive('\n').filter(|line| !hidden(line)).collect::<String>()))
        }
        event => event,
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_page_in_docs_is_a_guide_and_names_are_unique() {
        let listed: Vec<_> = GUIDES.iter().flat_map(|(_, files)| files.iter().copied()).collect();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_page = path.extension().is_some_and(|extension| extension == "md");
            assert!(!is_page || listed.contains(&format!("docs/{name}").as_str()), "{name} is not listed");
        }
        let names: BTreeSet<_> = listed.iter().map(|file| page_name(file)).collect();
        assert_eq!(names.len(), listed.len());
    }

    #[test]
    fn links_lead_to_pages_or_become_text() {
        let docs = Path::new("docs");
        assert_eq!(target("hooks.md#retries", docs).as_deref(), Some("hooks.html#retries"));
        assert_eq!(target("../sdk/README.md", docs).as_deref(), Some("sdk.html"));
        assert_eq!(target("../openapi.yaml", docs).as_deref(), Some("../openapi.yaml"));
        assert_eq!(target("#here", docs).as_deref(), Some("#here"));
        assert_eq!(target("../server-stub/src/lib.rs", docs), None);
        assert_eq!(target("src/guide.md", Path::new("sdk")).as_deref(), Some("sdk-guide.html"));
    }

    #[test]
    fn hidden_lines_of_rust_are_left_out_and_comments_of_a_shell_stay() {
        let text = "```rust,no_run\n# fn main() {\nlet a = 1;\n# }\n```\n\n```sh\n# a comment\n```\n";
        let shown = html(without_hidden_lines(parse(text)), HeadingLevel::H1);
        assert!(!shown.contains("fn main") && shown.contains("let a") && shown.contains("# a comment"), "{shown}");
    }
}
