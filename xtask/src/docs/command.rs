//! `cargo xtask docs`: reads the document and the guides, writes the pages. What the pages hold is made elsewhere.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use xtask::openapi_3_1::openapi_3_1;

use super::edition::Edition;
use super::layout::Frame;
use super::node::Node;
use super::{guide, navigation, problem, reference};

/// Options of `cargo xtask docs`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder to write to. Default: `target/docs` of the workspace.
    #[arg(long, value_name = "DIRECTORY")]
    output: Option<PathBuf>,
}

/// Writes the pages of the workspace at `root`.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let source = root.join("openapi.yaml");
    let text = fs::read_to_string(&source).with_context(|| format!("{} cannot be read", source.display()))?;
    let document = Node::parse(&text)?.composed();
    let guides = guide::read(&root.join("docs"))?;
    let folder = arguments.output.clone().unwrap_or_else(|| root.join("target/docs"));
    let title = reference::title(&document);
    let frame = Frame { title, home: Edition::Folder.home(), remark: "Made by cargo xtask docs" };
    let side = navigation::list(&document, &guides, "");
    write(&folder.join("index.html"), &frame.page(&side, &reference::body(&document, Edition::Folder)))?;
    write(&folder.join("openapi.yaml"), &text)?;
    write(&folder.join("openapi-3.1.json"), &openapi_3_1(&text)?)?;
    let home = format!("../{}", frame.home);
    let side = navigation::list(&document, &guides, "../");
    let problems = problem::pages(&document);
    for (code, body) in &problems {
        let frame = Frame { title: &format!("{code} – {title}"), home: &home, ..frame };
        let body = format!("<div class=\"prose\">{body}</div>");
        write(&folder.join(format!("problems/{code}.html")), &frame.page(&side, &body))?;
    }
    for guide in &guides {
        let frame = Frame { title: &format!("{} – {title}", guide.title), home: &home, ..frame };
        write(&folder.join(format!("guides/{}.html", guide.name)), &frame.page(&side, &guide.body))?;
    }
    let mut output = std::io::stdout().lock();
    writeln!(
        output,
        "wrote {} with {} problem pages and {} guides",
        folder.join("index.html").display(),
        problems.len(),
        guides.len()
    )?;
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a page lies in a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}
