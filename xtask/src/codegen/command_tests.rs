//! Tests of the command: when it writes, when it refuses, and that the committed files are fresh.

use std::fs;
use std::path::Path;

use super::command::{Arguments, run};

/// A document with nothing but a version.
const EMPTY: &str = "openapi: 3.0.3\ninfo: { title: Small, version: 1.0.0 }\npaths: {}\n";

/// A workspace with a document.
fn workspace(document: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a temporary folder is to be had");
    for folder in ["sdk/src", "server-stub/assets"] {
        fs::create_dir_all(root.path().join(folder)).expect("the folder is ours");
    }
    fs::write(root.path().join("openapi.yaml"), document).expect("the folder is ours");
    root
}

fn check(root: &Path) -> Result<(), String> {
    run(root, &Arguments { check: true }).map_err(|error| format!("{error:#}"))
}

fn write(root: &Path) -> Result<(), String> {
    run(root, &Arguments { check: false }).map_err(|error| format!("{error:#}"))
}

#[test]
fn the_committed_files_are_what_the_document_gives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    check(root).unwrap();
}

#[test]
fn a_missing_or_changed_file_is_stale_and_the_message_has_the_fix() {
    for (name, end, by_hand) in [
        ("sdk/src/generated.rs", "\n\n", "\n// by hand\n\n"),
        ("server-stub/assets/reference.html", "\n<html", "\n<!-- by hand -->\n<html"),
        ("server-stub/assets/openapi-3.1.json", "Small", "By hand"),
    ] {
        let root = workspace(EMPTY);
        let generated = root.path().join(name);
        let refusal = check(root.path()).unwrap_err();
        assert!(refusal.contains(&format!("{name} is stale (it does not exist)")), "{refusal}");
        assert!(refusal.contains("cargo xtask codegen") && !generated.exists(), "a check changes nothing: {refusal}");
        write(root.path()).unwrap();
        check(root.path()).unwrap();
        let changed = fs::read_to_string(&generated).unwrap().replacen(end, by_hand, 1);
        fs::write(&generated, changed).unwrap();
        let refusal = check(root.path()).unwrap_err();
        assert!(refusal.starts_with(&format!("{name} is stale (first difference in line")), "{refusal}");
        assert!(refusal.contains("cargo xtask codegen") && refusal.matches("stale").count() == 1, "{refusal}");
    }
}

#[test]
fn a_document_that_cannot_be_taken_leaves_the_files_as_they_were() {
    let root = workspace(EMPTY);
    write(root.path()).unwrap();
    let read = |name: &str| fs::read_to_string(root.path().join(name)).unwrap();
    let files = || {
        ["sdk/src/generated.rs", "server-stub/assets/reference.html", "server-stub/assets/openapi-3.1.json"].map(read)
    };
    let before = files();
    for (document, words) in [("a: [", "not valid YAML"), ("info: { version: '1' }", "OpenAPI 3.0")] {
        fs::write(root.path().join("openapi.yaml"), document).unwrap();
        let refusal = write(root.path()).unwrap_err();
        assert!(refusal.contains(words), "{refusal}");
        assert_eq!(files(), before);
    }
}

#[test]
fn a_missing_document_is_named() {
    let root = tempfile::tempdir().unwrap();
    let refusal = check(root.path()).unwrap_err();
    assert!(refusal.contains("openapi.yaml cannot be read"), "{refusal}");
}
