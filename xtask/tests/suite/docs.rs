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
            assert!(seen.insert(anchor), "{}: {anchor} stands twice", page.display());
        }
    }
}

#[test]
fn a_page_loads_nothing_from_elsewhere() {
    for (page, text) in &pages().texts {
        for mark in ["<link", " src=\"", "@import", "url(", "<iframe"] {
            assert!(!text.contains(mark), "{} has {mark}", page.display());
        }
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_told_in_a_sentence() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["docs", "--output", "/dev/null/nowhere"])
        .output()
        .expect("xtask runs");
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.starts_with("error: /dev/null/nowhere cannot be made"), "{text}");
}
