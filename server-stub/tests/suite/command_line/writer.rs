//! The command `writer check` for the writer that needs no network.

use super::program::{assert_fails, run, text};

#[test]
fn the_offline_writer_needs_nothing_and_takes_no_model() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["writer", "check"]);
    assert!(output.status.success() && text(&output.stdout).contains("offline"), "{}", text(&output.stdout));
    let output = run(folder.path(), &["writer", "check", "--model", "m"]);
    assert_fails(&output, 2, "--model needs --writer openai or --writer anthropic");
}
