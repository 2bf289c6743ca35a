//! Tests the output and the exit codes of `cargo xtask document --against`.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

/// The judge's own small document.
const SMALL: &str = include_str!("../../src/compatibility/tests/small.yaml");

fn compare(new: &str, words: &[&str]) -> Output {
    let folder = TempDir::new().expect("there is room for a temporary folder");
    let [old_path, new_path] = ["old.yaml", "new.yaml"].map(|name| folder.path().join(name));
    fs::write(&old_path, SMALL).expect("the file can be written");
    fs::write(&new_path, new).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("document").arg("--against").arg(&old_path).arg(&new_path).args(words);
    command.output().expect("xtask runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_allowed_change_is_listed_and_ends_with_0() {
    let output = compare(&SMALL.replace("[new, old]", "[new, old, lost]"), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = "\
allowed #/components/schemas/State/x-extensible-enum: the value \"lost\"
0 breaking, 1 allowed
";
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn a_breaking_change_ends_with_1_and_is_there_for_programs_too() {
    let broken = SMALL.replace("[new, old]", "[new]");
    let output = compare(&broken, &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let expected = serde_json::json!({
        "additions": [],
        "breaking": [{
            "place": "#/components/schemas/State/x-extensible-enum",
            "kind": "value-removed",
            "what": "the value \"old\" is gone",
            "clause": "It removes nothing",
            "advice": "Keep the value; describe it as no longer used.",
        }],
    });
    assert_eq!(report, expected);
    let error = text(&output.stderr);
    assert!(
        error.starts_with("error: the policy of the document (\"Versioning\") forbids 1 of the changes;"),
        "{error}"
    );
}

#[test]
fn what_is_neither_a_file_nor_a_revision_is_told() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["document", "--against", "no-such-revision"])
        .output()
        .expect("xtask runs");
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("\"no-such-revision\" is neither a file nor a git revision"), "{error}");
}
