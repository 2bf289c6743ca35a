//! `writer check` and the start of `serve`, run as a program.

use std::process::{Command, Output};

use contentgen_server_stub::generation::model::Provider;
use serde_json::json;
use wiremock::ResponseTemplate;

use super::stub::{KEY, Stub, chat, envelope, error};
use crate::command_line::program::{PROGRAM, assert_fails, run, text};

/// Runs `writer check` against the endpoint.
async fn check(stub: &Stub, more: &[&str]) -> Output {
    let arguments: Vec<String> = ["writer", "check", "--writer", "openai", "--model", "test-model", "--model-url"]
        .into_iter()
        .map(str::to_owned)
        .chain([stub.url()])
        .chain(more.iter().map(|&argument| argument.to_owned()))
        .collect();
    let output = tokio::task::spawn_blocking(move || {
        Command::new(PROGRAM).args(arguments).env("CONTENTGEN_MODEL_KEY", KEY).output().unwrap()
    });
    let output = output.await.unwrap();
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(!said.contains("planted"), "{said}");
    output
}

/// Returns the models that an endpoint lists.
fn models() -> ResponseTemplate {
    ResponseTemplate::new(200)
        .set_body_json(json!({ "object": "list", "data": [{ "id": "llama3.1" }, { "id": "qwen\u{1b}[2J" }] }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_that_works_is_told_step_by_step() {
    let stub = Stub::start(|number, _| if number == 0 { models() } else { chat("{\"word\": \"ready\"}") }).await;
    let output = check(&stub, &["--model-price-input", "2.5", "--model-price-output", "10"]).await;
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}{}", text(&output.stderr));
    let steps: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(
        steps,
        [["endpoint", "ok"], ["key", "ok"], ["model", "ok"], ["output", "ok"], ["usage", "ok"], ["time", "ok"]],
        "{out}"
    );
    assert!(out.contains("1000 tokens read, 500 written"), "{out}");
    assert_eq!(stub.bodies().await.len(), 2, "two requests");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_only_worth_knowing_does_not_fail_the_check() {
    let stub = Stub::start(|_, body| match body.get("response_format") {
        Some(_) => error(400, "unsupported", "response_format"),
        None => ResponseTemplate::new(200)
            .set_body_json(json!({ "choices": [{ "message": { "content": "Sure: {\"word\":\"ready\"}" } }] })),
    })
    .await;
    let output = check(&stub, &[]).await;
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}");
    for line in [
        "output    note  the endpoint does not support JSON schemas",
        "usage     note  not reported",
        "prices    note  not set",
    ] {
        assert!(out.contains(line), "{line} in {out}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_is_told_with_what_to_do_and_fails_the_check() {
    let page = || ResponseTemplate::new(200).set_body_string("<html></html>");
    for (answer, step, words) in [
        (
            error(401, "invalid_api_key", &format!("Incorrect API key provided: {KEY}")),
            "key       bad",
            "CONTENTGEN_MODEL_KEY",
        ),
        (error(404, "model_not_found", "no such model"), "model     bad", "the endpoint lists: llama3.1, qwen[2J"),
        (
            ResponseTemplate::new(200).set_body_json(envelope(&"ready".into(), "stop")),
            "output    bad",
            "follows instructions better",
        ),
        (page(), "model     bad", "--model-url and --writer"),
        (error(429, "rate_limit_exceeded", "wait").insert_header("retry-after", "3600"), "model     bad", "too busy"),
        (error(400, "INVALID_ARGUMENT", "API key not valid."), "key       bad", "CONTENTGEN_MODEL_KEY"),
    ] {
        let is_key_tested = !words.contains("busy");
        let stub = Stub::start(move |number, _| if number == 0 { models() } else { answer.clone() }).await;
        let output = check(&stub, &[]).await;
        let out = text(&output.stdout);
        assert!(out.contains(step) && out.contains(words), "{step} and {words} in {out}");
        assert_eq!(out.contains("key       bad") || out.contains("key       ok"), is_key_tested, "{out}");
        assert_fails(&output, 1, "llm:openai/test-model cannot write articles");
    }
    let stub = Stub::start(|_, _| ResponseTemplate::new(301).insert_header("location", "http://127.0.0.1:9/v1")).await;
    let output = check(&stub, &[]).await;
    assert!(text(&output.stdout).contains("endpoint  bad"), "{}", text(&output.stdout));
    assert_fails(&output, 1, "cannot write articles");
}

#[test]
fn an_endpoint_that_is_not_there_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["writer", "check", "--writer", "openai", "--model", "m", "--model-url", "http://127.0.0.1:1/v1"];
    let output = run(folder.path(), &arguments);
    assert!(
        text(&output.stdout)
            .contains("endpoint  bad   the request to the language model failed: cannot connect; check --model-url")
    );
    assert_fails(&output, 1, "cannot write articles");
}

#[test]
fn options_that_do_not_fit_together_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (vec!["--writer", "openai"], "--model must be the provider's name"),
        (vec!["--model", "m"], "--writer openai or --writer anthropic"),
        (vec!["--writer", "openai", "--model", "m", "--model-url", "localhost:11434"], "write it like https://"),
        (vec!["--writer", "openai", "--model", "m", "--model-url", "http://a:b@127.0.0.1"], "CONTENTGEN_MODEL_KEY"),
        (vec!["--writer", "openai", "--model", "m", "--model-price-input", "2"], "--model-price-output"),
        (
            vec!["--writer", "openai", "--model", "m", "--model-price-input", "two", "--model-price-output", "2"],
            "dollars for a million tokens",
        ),
    ] {
        for command in [vec!["writer", "check"], vec!["serve", "--demo"]] {
            let output = run(folder.path(), &[command, arguments.clone()].concat());
            assert_fails(&output, 2, words);
        }
    }
    let output = Command::new(PROGRAM)
        .args(["writer", "check", "--writer", "openai", "--model", "m"])
        .env("CONTENTGEN_MODEL_KEY", "planted\u{1b}key")
        .output()
        .unwrap();
    assert_fails(&output, 2, "visible ASCII characters");
    assert!(!text(&output.stderr).contains("planted"), "{}", text(&output.stderr));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_says_at_its_start_who_writes() {
    let stub = Stub::start(|_, _| chat("{}")).await;
    let folder = tempfile::tempdir().unwrap();
    let url = stub.url();
    let server = tokio::task::spawn_blocking(move || {
        let arguments = ["--demo", "--writer", "anthropic", "--model", "test-model", "--model-url", &url];
        let server = crate::command_line::program::Server::start(folder.path(), &arguments);
        server.expect_printed(&format!("Writer: llm:{}/test-model", Provider::Anthropic.as_str()));
        server.stop("-TERM")
    });
    assert_eq!(server.await.unwrap(), Some(0));
}
