//! `init` asks questions and writes a configuration that can be run.

use contentgen_conformance::cli::ConfigurationFile;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::Fake;
use crate::support::cli::{KEY, Workplace};

use super::{init, init_alone, written};

#[test]
fn defaults_make_a_commented_file_that_keeps_the_schema_and_runs() {
    for (arguments, answers) in [(&["--yes"][..], ""), (&[][..], ""), (&[][..], "\n\n\n")] {
        let place = Workplace::new();
        let ended = init(&place, arguments, answers);
        assert_eq!(ended.code, 0, "{}", ended.errors);
        let text = place.read("conformance.toml");
        assert!(text.lines().filter(|line| line.starts_with('#')).count() > 25, "{text}");
        assert_eq!(written(&place).target.base_url, "http://127.0.0.1:8080");
        let schema: serde_json::Value = serde_json::from_str(&place.run(&["schema"]).output).unwrap();
        let value = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
        assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&value), "{text}");
    }
}

#[test]
fn every_comment_that_is_an_entry_can_be_switched_on() {
    let place = Workplace::new();
    init(&place, &["--yes"], "");
    let is_entry =
        |line: &str| line.starts_with('[') || line.split_once(" = ").is_some_and(|(name, _)| !name.contains(' '));
    let switched_on: String = place
        .read("conformance.toml")
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|rest| is_entry(rest)).unwrap_or(line).to_owned() + "\n")
        .collect();
    let file: ConfigurationFile = toml::from_str(&switched_on).unwrap_or_else(|error| panic!("{error}\n{switched_on}"));
    assert!(file.hooks.is_some() && file.leads.is_some() && file.target.other_account.is_some());
    assert_eq!(file.known_failures.len(), 1);
}

#[test]
fn answers_stand_in_the_file_and_the_file_runs() {
    let fake = Fake::constant(200, "{}");
    let place = Workplace::new();
    let answers = [
        &fake.base_url,
        "",
        "MY_KEY",
        "web_1",
        "MY_OTHER_KEY",
        "hook",
        "/article/number",
        "90s",
        "./register 'a b' {url}",
        "",
        "http://host:{port}",
        "no",
        "no",
        "{base_url}/lead",
        "form",
        "mail",
        "-",
        "text",
        "Example \"Ltd\"",
        "",
    ];
    let ended = init(&place, &[], &(answers.join("\n") + "\n"));
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(ended.output.contains("Wrong: register: `./register` cannot be run"), "{}", ended.output);
    let file = written(&place);
    assert_eq!(file.target.base_url, fake.base_url);
    assert_eq!(file.target.profile.to_string(), "core", "which is asked for first");
    assert_eq!(file.target.other_account.unwrap().api_key_env, "MY_OTHER_KEY");
    assert_eq!(file.article.hook_id_pointer, "/article/number");
    assert_eq!(file.article.ready_within.as_deref(), Some("90s"));
    let hooks = file.hooks.unwrap();
    assert_eq!(hooks.register.unwrap(), ["./register", "a b", "{url}"], "as entered, although it cannot be run");
    assert!(!hooks.standard_webhooks);
    let capture = file.leads.unwrap().capture;
    assert_eq!(capture.url, "{base_url}/lead");
    let form = capture.form.unwrap();
    assert_eq!((form["mail"].as_str(), form["text"].as_str(), form.len()), ("{email}", "{message}", 2));
    assert_eq!(file.report.organisation.as_deref(), Some("Example \"Ltd\""));
    let text = place
        .read("conformance.toml")
        .replace("MY_OTHER_KEY", "CONTENTGEN_API_KEY")
        .replace("MY_KEY", "CONTENTGEN_API_KEY");
    place.write("conformance.toml", &text.replace("./register", "echo"));
    let run =
        place.run(&["run", "--config", "conformance.toml", "--only", "auth.missing.refused", "--report-dir", "r"]);
    assert_eq!(run.code, 1, "{}", run.errors);
    assert_eq!(place.json("r/report.json")["about"]["organisation"], "Example \"Ltd\"");
}

#[test]
fn a_file_that_is_there_is_kept_unless_forced() {
    let place = Workplace::new();
    place.write("conformance.toml", "mine");
    let refused = init(&place, &["--yes"], "");
    assert_eq!(refused.code, 2);
    assert!(refused.errors.contains("--force"), "{}", refused.errors);
    assert_eq!(place.read("conformance.toml"), "mine");
    assert_eq!(init(&place, &["--yes", "--force"], "").code, 0);
    assert_ne!(place.read("conformance.toml"), "mine");
}

#[test]
fn a_key_that_is_pasted_for_a_variable_is_refused_and_not_repeated() {
    let place = Workplace::new();
    let ended = init(&place, &[], &format!("\n\n{KEY}\n{KEY}\n{KEY}\n"));
    assert_eq!(ended.code, 2);
    assert!(ended.errors.contains("never the key itself"), "{}", ended.errors);
    assert!(!ended.errors.contains(KEY) && !ended.output.contains(KEY));
    assert!(!place.has("conformance.toml"));
}

#[test]
fn whatever_is_answered_the_file_can_be_read_or_is_not_written() {
    let seed = [7; 32];
    println!("seed {seed:?}");
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner =
        TestRunner::new_with_rng(Config { cases: 48, failure_persistence: None, ..Config::default() }, rng);
    let answer = prop_oneof![
        3 => Just(String::new()),
        2 => prop::sample::select(vec!["http://h", "core", "hook", "X_Y", "yes", "./a {url}", "\"", "'''", "\\", "]", "#x"]).prop_map(str::to_owned),
        2 => prop::string::string_regex("\\PC{0,20}").unwrap(),
    ];
    runner
        .run(&prop::collection::vec(answer, 0..40), |answers| {
            let place = Workplace::new();
            let ended = init_alone(&place, &(answers.join("\n") + "\n"));
            prop_assert!(matches!(ended.code, 0 | 2), "{}", ended.errors);
            prop_assert_eq!(ended.code == 0, place.has("conformance.toml"));
            if ended.code == 0 {
                written(&place);
            }
            Ok(())
        })
        .unwrap();
}
