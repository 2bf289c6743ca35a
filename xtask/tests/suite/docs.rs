//! `cargo xtask docs`: the pages load nothing from elsewhere, every link in them leads somewhere, nothing is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The pages, as the command writes them: path below the output folder and text.
struct Pages {
    folder: TempDir,
    texts: BTreeMap<PathBuf, String>,
}

fn pages() -> Pages {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let status = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("docs").arg("--output").arg(folder.path()).output();
    let output = status.expect("xtask runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut texts = BTreeMap::new();
    collect(folder.path(), folder.path(), &mut texts);
    Pages { folder, texts }
}

fn collect(root: &Path, folder: &Path, texts: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect(root, &path, texts);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            let text = fs::read_to_string(&path).expect("a page is text");
            texts.insert(path.strip_prefix(root).expect("the page lies below").to_owned(), text);
        }
    }
}

/// The values of an attribute, in the order of the page.
fn attributes<'text>(text: &'text str, name: &str) -> Vec<&'text str> {
    let start = format!(" {name}=\"");
    let parts = text.split(&start).skip(1);
    parts.map(|rest| rest.split('"').next().expect("a split has a first part")).collect()
}

#[test]
fn every_operation_schema_and_problem_has_its_place() {
    let pages = pages();
    let document =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi.yaml")).expect("it is there");
    let document: serde_json::Value = serde_saphyr::from_str(&document).expect("the document is YAML");
    let index = &pages.texts[Path::new("index.html")];
    let anchors: BTreeSet<_> = attributes(index, "id").into_iter().collect();
    for item in document["paths"].as_object().expect("there are paths").values() {
        for operation in item.as_object().expect("a path item is a map").values() {
            let name = operation["operationId"].as_str().expect("an operation has a name");
            assert!(anchors.contains(name), "{name} is missing");
        }
    }
    for name in document["components"]["schemas"].as_object().expect("there are schemas").keys() {
        assert!(anchors.contains(format!("schema-{name}").as_str()), "{name} is missing");
    }
    for code in document["x-problem-codes"].as_object().expect("there are problems").keys() {
        assert!(pages.texts.contains_key(Path::new(&format!("problems/{code}.html"))), "{code} has no page");
    }
}

/// The section of an operation.
fn section<'text>(page: &'text str, operation: &str) -> &'text str {
    let (_, rest) = page.split_once(&format!("id=\"{operation}\"")).expect("the operation has a section");
    rest.split("<section class=\"operation\"").next().expect("a split has a first part")
}

#[test]
fn every_operation_for_programs_is_shown_in_three_languages() {
    let pages = pages();
    let index = &pages.texts[Path::new("index.html")];
    let operations: Vec<_> = index.split("<section class=\"operation\" id=\"").skip(1).collect();
    let mut shown = 0;
    for operation in operations {
        let name = operation.split('"').next().expect("a split has a first part");
        // The links of a confirmation are for browsers.
        if name.starts_with("on_") || ["show_confirmation", "confirm_lead"].contains(&name) {
            continue;
        }
        for sample in [
            "<code>curl",
            "<summary>contentgen</summary><pre class=\"code\"><code>contentgen ",
            "<summary>Rust</summary>",
        ] {
            assert!(section(index, name).contains(sample), "{name} has no {sample}");
        }
        shown += 1;
    }
    assert_eq!(shown, 11);
    assert!(section(index, "get_job").contains("<code>let job = client.get_job(job_id).send().await?;\nprintln!("));
}

#[test]
fn an_operation_without_a_key_says_so_and_its_media_types_are_told() {
    let pages = pages();
    let index = &pages.texts[Path::new("index.html")];
    for operation in ["capture_lead", "show_confirmation", "confirm_lead"] {
        let section = section(index, operation);
        assert!(section.contains("no key needed") && !section.contains("Authorization"), "{operation}: {section}");
        assert!(section.contains("curl") && section.contains("text/html"), "{operation}: {section}");
    }
    let form = section(index, "capture_lead");
    for told in ["#schema-LeadCapture\"", "#schema-LeadForm\"", "#schema-LeadAccepted\"", "multipart/form-data"] {
        assert!(form.contains(told), "{told} in {form}");
    }
    assert!(
        section(index, "get_lead").contains("Authorization") && !section(index, "get_lead").contains("no key needed")
    );
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    let mut faults = Vec::new();
    for (page, text) in &pages.texts {
        for link in attributes(text, "href") {
            let is_elsewhere = link.starts_with("https://") || link.starts_with("http://");
            if !is_elsewhere && !leads_somewhere(&pages, page, link) {
                faults.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn leads_somewhere(pages: &Pages, page: &Path, link: &str) -> bool {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = pages.folder.path().join(page.parent().expect("a page lies in a folder"));
    let target = if file.is_empty() { pages.folder.path().join(page) } else { folder.join(file) };
    let Ok(target) = target.canonicalize() else { return false };
    if anchor.is_empty() {
        return true;
    }
    let root = pages.folder.path().canonicalize().expect("the folder is there");
    let text = target.strip_prefix(root).ok().and_then(|path| pages.texts.get(path));
    text.is_some_and(|text| attributes(text, "id").contains(&anchor))
}

#[test]
fn an_anchor_stands_once_on_a_page() {
    for (page, text) in &pages().texts {
        let mut seen = BTreeSet::new();
        for anchor in attributes(text, "id") {
            assert!(seen.insert(anchor), "{}: {anchor} occurs twice", page.display());
        }
    }
}

#[test]
fn a_page_loads_nothing_from_elsewhere() {
    for (page, text) in &pages().texts {
        // The search index lies beside the pages, and only the script asks for it.
        for mark in ["<link", "<img", "<script src", "<iframe"] {
            assert!(!text.contains(mark), "{} has {mark}", page.display());
        }
        let style = text.split("</style>").next().expect("a split has a first part");
        assert!(!style.contains("@import") && !style.contains("url("), "{}", page.display());
    }
}

#[test]
fn title_and_address_are_those_of_the_options() {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let docs = |address: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(["docs", "--title", "Articles & more", "--server-url", address, "--output"]).arg(folder.path());
        command.output().expect("xtask runs")
    };
    let output = docs("https://api.example.com/");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for page in ["index.html", "guides/hooks.html", "problems/queue_full.html"] {
        let page = fs::read_to_string(folder.path().join(page)).expect("the page is written");
        assert!(page.contains("Articles &amp; more</title>") && page.contains("Articles &amp; more</a>"));
    }
    let index = fs::read_to_string(folder.path().join("index.html")).expect("the page is written");
    assert!(index.contains("curl &quot;https://api.example.com/api/v1/articles&quot;"));
    assert!(!index.contains("CONTENTGEN_BASE_URL"));
    for address in ["api.example.com", "https://", "https://a.example/$(id)", "https://a.example/\""] {
        let output = docs(address);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains("is not the address of a server"), "{address}: {text}");
    }
}

#[test]
fn the_search_index_has_every_page_and_its_addresses_exist() {
    let pages = pages();
    let script = fs::read_to_string(pages.folder.path().join("search-index.js")).expect("the index is written");
    let json = script.trim().trim_start_matches("window.searchIndex=").trim_end_matches(';');
    let entries: Vec<(String, String, String)> = serde_json::from_str(json).expect("the index is JSON");
    let listed: BTreeSet<_> =
        entries.iter().map(|(address, ..)| address.split('#').next().unwrap_or_default()).collect();
    for page in pages.texts.keys() {
        assert!(listed.contains(page.to_str().expect("paths are UTF-8")), "{} is not in the index", page.display());
    }
    for (address, ..) in &entries {
        assert!(leads_somewhere(&pages, Path::new("index.html"), address), "{address}");
    }
    assert!(
        entries.iter().any(|(_, title, text)| title.contains("Queue an article") && text.contains("Idempotency-Key"))
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_told_in_a_sentence() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["docs", "--output", "/dev/null/nowhere"])
        .output()
        .expect("xtask runs");
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.starts_with("error: /dev/null/nowhere cannot be created"), "{text}");
}

/// The READMEs and guides of the workspace, with their paths below its root.
fn markdown_files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["", "sdk", "cli", "conformance", "examples", "faults", "server-stub", "docs", "docs/samples"] {
        for entry in fs::read_dir(root.join(folder)).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.file_name().expect("a file has a name");
                let text = fs::read_to_string(&path).expect("a page is text");
                files.push((Path::new(folder).join(name), text));
            }
        }
    }
    files
}

#[test]
fn code_blocks_name_their_language_and_show_no_hidden_lines() {
    let mut faults = Vec::new();
    for (path, text) in markdown_files() {
        let mut language = None;
        for (number, line) in text.lines().enumerate() {
            let place = format!("{}:{}", path.display(), number + 1);
            match (line.trim_start().strip_prefix("```"), language) {
                (Some(""), None) => {
                    faults.push(format!("{place}: the block names no language"));
                    language = Some("");
                }
                (Some(name), None) => language = Some(name),
                (Some(_), Some(_)) => language = None,
                (None, Some(name)) if name.starts_with("rust") && (line == "#" || line.starts_with("# ")) => {
                    faults.push(format!("{place}: a hidden line of a doctest"));
                }
                (None, _) => {}
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn links_between_pages_of_the_repository_lead_to_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut faults = Vec::new();
    for (path, text) in markdown_files() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            let is_elsewhere = file.is_empty() || file.contains("://") || file.contains("::") || file.contains(' ');
            let folder = path.parent().expect("a file lies in a folder");
            if !is_elsewhere && !root.join(folder).join(file).exists() {
                faults.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
