//! Tests of the command: when it writes, when it refuses, and that the committed file is fresh.

use std::fs;
use std::path::Path;

use super::command::{Arguments, run};

/// A document with nothing but a version.
const EMPTY: &str = "openapi: 3.0.3\ninfo: { title: Small, version: 1.0.0 }\npaths: {}\n";

/// A workspace with a document.
fn workspace(document: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a temporary folder is to be had");
    fs::create_dir_all(root.path().join("sdk/src")).expect("the folder is ours");
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
fn the_committed_file_is_what_the_document_gives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    check(root).unwrap();
}

#[test]
fn a_missing_or_changed_file_is_stale_and_the_message_has_the_fix() {
    let root = workspace(EMPTY);
    let generated = root.path().join("sdk/src/generated.rs");
    let refusal = check(root.path()).unwrap_err();
    assert!(refusal.contains("does not exist") && refusal.contains("cargo xtask codegen"), "{refusal}");
    assert!(!generated.exists(), "a check changes nothing");
    write(root.path()).unwrap();
    check(root.path()).unwrap();
    let changed = fs::read_to_string(&generated).unwrap().replacen("\n\n", "\n// by hand\n\n", 1);
    fs::write(&generated, changed).unwrap();
    let refusal = check(root.path()).unwrap_err();
    assert!(refusal.contains("first difference in line 2"), "{refusal}");
}

#[test]
fn a_document_that_cannot_be_taken_leaves_the_file_as_it_was() {
    let root = workspace(EMPTY);
    write(root.path()).unwrap();
    let generated = root.path().join("sdk/src/generated.rs");
    let before = fs::read_to_string(&generated).unwrap();
    for (document, words) in [("a: [", "not readable YAML"), ("info: { version: '1' }", "OpenAPI 3.0")] {
        fs::write(root.path().join("openapi.yaml"), document).unwrap();
        let refusal = write(root.path()).unwrap_err();
        assert!(refusal.contains(words), "{refusal}");
        assert_eq!(fs::read_to_string(&generated).unwrap(), before);
    }
}

#[test]
fn a_missing_document_is_named() {
    let root = tempfile::tempdir().unwrap();
    let refusal = check(root.path()).unwrap_err();
    assert!(refusal.contains("openapi.yaml cannot be read"), "{refusal}");
}
