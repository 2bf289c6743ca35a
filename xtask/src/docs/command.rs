//! `cargo xtask docs`: reads the document and the guides, and writes the pages.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use xtask::openapi_3_1::openapi_3_1;

use super::edition::Edition;
use super::layout::Frame;
use super::node::Node;
use super::operation::Server;
use super::served_page::{BASE_URL, COMMANDS, RECORDED};
use super::{guide, navigation, problem, reference, search};

/// File with the search index, below the output folder.
const SEARCH_INDEX: &str = "search-index.js";

/// Options of `cargo xtask docs`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Title of the pages. Default: the title of the document.
    #[arg(long)]
    title: Option<String>,
    /// Address of your server, such as `https://api.example.com`, for the commands. Default: the variable `CONTENTGEN_BASE_URL`.
    #[arg(long, value_name = "URL")]
    server_url: Option<String>,
    /// The folder to write to. Default: `target/docs` of the workspace.
    #[arg(long, value_name = "DIRECTORY")]
    output: Option<PathBuf>,
}

/// Writes the pages of the workspace at `root`.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let source = root.join("openapi.yaml");
    let text = fs::read_to_string(&source).with_context(|| format!("{} cannot be read", source.display()))?;
    let document = Node::parse(&text)?.composed();
    let guides = guide::read(root)?;
    let folder = arguments.output.clone().unwrap_or_else(|| root.join("target/docs"));
    let title = arguments.title.as_deref().unwrap_or_else(|| reference::title(&document));
    let server =
        Server { base_url: base_url(arguments)?, recorded: &Node::parse(RECORDED)?, commands: &Node::parse(COMMANDS)? };
    let remark = "Made by cargo xtask docs";
    let frame = Frame { title, brand: title, search_index: SEARCH_INDEX, home: Edition::Folder.home(), remark };
    let body = reference::body(&document, title, Edition::Folder, &server);
    write(&folder.join("index.html"), &frame.page(&navigation::list(&document, &guides, ""), &body))?;
    write(&folder.join("openapi.yaml"), &text)?;
    write(&folder.join("openapi-3.1.json"), &openapi_3_1(&text)?)?;
    let home = format!("../{}", frame.home);
    let search_index = format!("../{SEARCH_INDEX}");
    let below = Frame { home: &home, search_index: &search_index, ..frame };
    let side = navigation::list(&document, &guides, "../");
    let mut pages = vec![("index.html".to_owned(), body.as_str())];
    let problems: Vec<_> = problem::pages(&document)
        .into_iter()
        .map(|(code, body)| (code, format!("<div class=\"prose\">{body}</div>")))
        .collect();
    for (code, body) in &problems {
        let frame = Frame { title: &format!("{code} – {title}"), ..below };
        let path = format!("problems/{code}.html");
        write(&folder.join(&path), &frame.page(&side, body))?;
        pages.push((path, body));
    }
    for guide in guides.iter().flat_map(|(_, guides)| guides) {
        let frame = Frame { title: &format!("{} – {title}", guide.title), ..below };
        let path = format!("guides/{}.html", guide.name);
        write(&folder.join(&path), &frame.page(&side, &guide.body))?;
        pages.push((path, &guide.body));
    }
    write(&folder.join(SEARCH_INDEX), &search::index(&pages))?;
    let index = folder.join("index.html");
    let count = guides.iter().map(|(_, guides)| guides.len()).sum::<usize>();
    let mut output = std::io::stdout().lock();
    writeln!(output, "wrote {} with {} problem pages and {count} guides", index.display(), problems.len())?;
    Ok(())
}

/// Returns the address of the server for the commands, without a slash at its end.
fn base_url(arguments: &Arguments) -> Result<&str> {
    let Some(url) = arguments.server_url.as_deref() else { return Ok(BASE_URL) };
    let is_address = ["https://", "http://"].iter().any(|scheme| url.len() > scheme.len() && url.starts_with(scheme));
    ensure!(
        is_address && !url.contains(['"', '$', '`', '\\', ' ', '?', '#']),
        "--server-url {url:?} is not the address of a server; give one such as https://api.example.com"
    );
    Ok(url.trim_end_matches('/'))
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("the page has no parent folder")?;
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be created", folder.display()))?;
    fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}
