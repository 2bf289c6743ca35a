//! A program without the feature `llm`: it says so where a language model is to write.

use super::program::{assert_fails, run, text};

#[test]
fn a_program_without_the_feature_names_it_where_a_language_model_is_to_write() {
    let folder = tempfile::tempdir().unwrap();
    for command in [["serve", "--demo"].as_slice(), &["writer", "check"]] {
        let output = run(folder.path(), &[command, &["--writer", "openai", "--model", "m"]].concat());
        assert_fails(&output, 2, "without the cargo feature `llm`");
        assert!(text(&output.stderr).contains("--features llm"), "{}", text(&output.stderr));
    }
    let output = run(folder.path(), &["writer", "check"]);
    assert!(output.status.success() && text(&output.stdout).contains("offline"), "{}", text(&output.stdout));
}
