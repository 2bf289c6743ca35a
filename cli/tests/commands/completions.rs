//! `completions`, and the promises of `--help`.

use super::program::{contentgen, run};

pub(crate) const COMMANDS: [&str; 13] = [
    "generate",
    "wait",
    "jobs",
    "articles",
    "posts",
    "leads",
    "websites",
    "listen",
    "login",
    "api",
    "demo",
    "completions",
    "man",
];

#[tokio::test]
async fn every_shell_completes_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(contentgen(&["completions", shell])).await.well().output;
        for word in COMMANDS.iter().chain(&["idempotency-key", "show-personal", "ready-file"]) {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
        let program = run(contentgen(&["completions", shell, "--json"])).await.well();
        assert_eq!(program.json()["script"], serde_json::json!(script));
    }
    run(contentgen(&["completions", "tcsh"])).await.with(2);
}

#[tokio::test]
async fn help_tells_commands_variables_and_exit_codes_as_the_readme_does() {
    let help = run(contentgen(&["--help"])).await.well().output;
    let readme = include_str!("../../README.md");
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        assert!(readme.contains(&format!("`{command}")), "{command} is not in the README");
    }
    let told = help.split_once("Environment:\n").expect("`--help` lists the variables").1;
    for line in told.lines().filter(|line| line.starts_with("  ")) {
        assert!(readme.contains(line.trim()), "not in the README: {line}");
    }
    assert!(told.contains("  5    the job ended without an article"), "{told}");
}

#[tokio::test]
async fn the_program_names_its_version() {
    let version = run(contentgen(&["--version"])).await.well().output;
    assert_eq!(version, concat!("contentgen ", env!("CARGO_PKG_VERSION"), "\n"));
}
