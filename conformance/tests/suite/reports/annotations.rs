//! Annotations of a run in GitHub Actions, and the part of its output with commands disabled.

use crate::support::Fake;
use crate::support::cli::{Ended, Workplace, ended};

const ANSWER: &str = r#"{"items":[],"detail":"50% ::error::x\r\n::stop-commands::y, ##[error]z"}"#;

fn run(on_github: bool, arguments: &[&str]) -> (Ended, Workplace) {
    let fake = Fake::constant(200, ANSWER);
    let place = Workplace::new();
    let always = ["run", "--base-url", &fake.base_url, "--seed", "5", "--cases", "4", "--report-dir", "r"];
    let mut command = place.command(&[&always, arguments].concat());
    if on_github {
        command.env("GITHUB_ACTIONS", "true");
    }
    (ended(&command.output().unwrap()), place)
}

fn commands<'a>(ended: &'a Ended, name: &str) -> Vec<&'a str> {
    ended.output.lines().filter(|line| line.starts_with(&format!("::{name} title="))).collect()
}

/// Returns the token between `::stop-commands::` and the end of the first line, the lines up to `::TOKEN::`, and the lines after it.
fn parts(output: &str) -> (&str, Vec<&str>, Vec<&str>) {
    let mut lines = output.lines();
    let token = lines.next().and_then(|line| line.strip_prefix("::stop-commands::")).unwrap();
    let lines: Vec<&str> = lines.collect();
    let end = lines.iter().position(|line| *line == format!("::{token}::")).unwrap();
    (token, lines[..end].to_vec(), lines[end + 1..].to_vec())
}

fn has_command(lines: &[&str]) -> bool {
    lines.iter().any(|line| line.trim_start().starts_with("::") || line.contains("##["))
}

#[test]
fn a_failure_becomes_one_line_that_nothing_of_an_answer_ends() {
    let (ended, _) = run(true, &["--only", "auth.wrong-key.refused"]);
    assert_eq!(ended.code, 1, "{}", ended.errors);
    let errors = commands(&ended, "error");
    assert_eq!(errors.len(), 1, "{}", ended.output);
    let head = "::error title=auth.wrong-key.refused (failed)::Only the key";
    assert!(errors[0].starts_with(head) && errors[0].contains("%0Aexpected "), "{}", errors[0]);
    assert!(errors[0].contains("50%25 ::error::x") && !errors[0].contains("50% "), "{}", errors[0]);
    assert!(!errors[0].contains("##["), "{}", errors[0]);
}

#[test]
fn github_runs_no_command_of_the_output_but_the_annotations() {
    let only = ["--only", "auth.wrong-key.refused"];
    let (ended, _) = run(true, &only);
    let (token, inside, after) = parts(&ended.output);
    assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    assert!(inside.iter().any(|line| line.contains("FAIL auth.wrong-key.refused")), "{inside:?}");
    assert!(!has_command(&inside), "{inside:?}");
    assert!(after[0].starts_with("::error title=") && !has_command(&after[1..]), "{after:?}");
    assert_eq!(ended.errors.lines().next(), Some(format!("::stop-commands::{token}").as_str()));
    let (again, _) = run(true, &only);
    assert_ne!(parts(&again.output).0, token, "a target cannot know it");
    let (elsewhere, _) = run(false, &only);
    for text in [&elsewhere.output, &elsewhere.errors] {
        assert!(!has_command(&text.lines().collect::<Vec<_>>()), "{text}");
    }
}

#[test]
fn commands_count_again_after_a_run_that_could_not_begin_and_after_other_commands() {
    let place = Workplace::new();
    for arguments in [
        &["run", "--base-url", "http://127.0.0.1:1"][..],
        &["replay", "missing.json"],
        &["prove", "--config", "missing.toml"],
        &["listen", "--port", "0", "--secret-env", "NOBODY_SET_IT"],
    ] {
        let ended = ended(&place.command(arguments).env("GITHUB_ACTIONS", "true").output().unwrap());
        let (_, inside, after) = parts(&ended.output);
        assert!(inside.is_empty() && after.is_empty(), "{arguments:?}: {}", ended.output);
        assert_eq!(ended.errors.lines().count(), 2, "{arguments:?}: {}", ended.errors);
    }
    let list = ended(&place.command(&["list", "--json"]).env("GITHUB_ACTIONS", "true").output().unwrap());
    assert!(list.output.starts_with('['), "what programs read stays JSON");
}

#[test]
fn they_come_in_github_actions_or_when_they_are_asked_for() {
    let only = ["--only", "auth.wrong-key.refused"];
    for (on_github, flags, count) in [
        (false, &[][..], 0),
        (false, &["--annotations", "github"], 1),
        (true, &["--annotations", "auto"], 1),
        (true, &["--annotations", "none"], 0),
    ] {
        let (ended, _) = run(on_github, &[&only, flags].concat());
        assert_eq!(commands(&ended, "error").len(), count, "{on_github} {flags:?}: {}", ended.output);
    }
}

#[test]
fn there_are_ten_of_each_kind_at_most_and_the_last_tells_of_the_others() {
    let (ended, place) = run(true, &["--only", "auth", "--only", "generate", "--only", "pages"]);
    let summary = &place.json("r/report.json")["summary"];
    let count = |name: &str| summary[name].as_u64().unwrap();
    for (kind, total) in [("error", count("failed") + count("errors")), ("warning", count("warned") + count("flaky"))] {
        let lines = commands(&ended, kind);
        assert_eq!(lines.len() as u64, total.min(10), "{kind} of {summary}");
        if total > 10 {
            assert!(lines[9].contains(&format!("::{} more are in report.html", total - 9)), "{}", lines[9]);
        }
    }
    assert!(count("failed") > 10, "{summary}");
}
