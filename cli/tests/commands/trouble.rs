//! Failures and their messages.

use serde_json::json;

use super::program::{contentgen, run, with_key};
use super::server::{base_url, breaking_off, closed_port, demonstration};

/// The variables of a run, the exit code, its word in JSON, and the message.
type Case<'a> = (&'a [(&'a str, &'a str)], i32, &'a str, &'a str);

const SECRET: &str = "secret_of_nobody";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_kind_of_trouble_has_its_exit_code_and_says_what_to_do() {
    let server = demonstration().await;
    let (here, closed) = (base_url(&server), closed_port());
    let cases: [Case<'_>; 7] = [
        (&[], 2, "usage", "CONTENTGEN_BASE_URL"),
        (&[("CONTENTGEN_BASE_URL", &here)], 2, "usage", "CONTENTGEN_API_KEY"),
        (&[("CONTENTGEN_BASE_URL", &here), ("CONTENTGEN_API_KEY", "two words")], 2, "usage", "copy it again"),
        (&[("CONTENTGEN_BASE_URL", "ftp://x"), ("CONTENTGEN_API_KEY", SECRET)], 2, "usage", "https"),
        (&[("CONTENTGEN_BASE_URL", "http://x"), ("CONTENTGEN_API_KEY", SECRET)], 2, "usage", "--allow-plain-http"),
        (
            &[("CONTENTGEN_BASE_URL", &here), ("CONTENTGEN_API_KEY", SECRET)],
            6,
            "unauthorized",
            "does not know this key",
        ),
        (
            &[("CONTENTGEN_BASE_URL", &closed), ("CONTENTGEN_API_KEY", SECRET)],
            3,
            "unreachable",
            "the server is running",
        ),
    ];
    for (variables, code, kind, advice) in cases {
        let mut command = contentgen(&["articles", "get", "art_1"]);
        command.envs(variables.iter().copied());
        let mut for_programs = contentgen(&["articles", "get", "art_1", "--json"]);
        for_programs.envs(variables.iter().copied());
        let (people, program) = tokio::join!(run(command), run(for_programs));
        let (people, program) = (people.with(code), program.with(code));
        assert!(people.error.starts_with("error: ") && people.error.contains(advice), "{people:?}");
        assert!(!people.error.contains("ClientBuilder"), "the SDK's methods are not options: {people:?}");
        assert!(!people.error.contains("dashboard"), "the server may have no dashboard: {people:?}");
        assert!(people.output.is_empty() && !people.error.contains(SECRET), "{people:?}");
        let error = program.json_error();
        assert_eq!((&error["kind"], &error["exit_code"]), (&json!(kind), &json!(code)));
        assert!(program.output.is_empty() && !program.error.contains(SECRET), "{program:?}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_may_not_do_it_ends_like_a_wrong_one() {
    let server = demonstration().await;
    for key in [&server.accounts()[0].narrow_api_key, &server.accounts()[0].revoked_api_key] {
        for words in [&["leads"][..], &["generate", "t", "--website-id", "web_1"], &["jobs", "get", "job_1"]] {
            let refused = run(with_key(&base_url(&server), key, words)).await;
            let is_told = refused.error.contains("CONTENTGEN_API_KEY") || refused.error.contains("the key lacks");
            assert!(refused.code == Some(6) && is_told, "{words:?}: {refused:?}");
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_the_server_refuses_is_refused_with_the_faults() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let call = |words: &[&str]| run(with_key(&base_url(&server), &account.api_key, words));
    let elsewhere = call(&["generate", "t", "--website-id", "web_nowhere", "--json"]).await.with(1);
    let error = elsewhere.json_error();
    assert_eq!((&error["code"], &error["status"]), (&json!("website_not_found"), &json!(422)));
    assert_eq!(error["errors"][0]["pointer"], "#/website_id");
    assert!(error["advice"].as_str().unwrap().contains("contentgen websites"), "{error}");
    server.stop().await;
}

#[tokio::test]
async fn a_call_that_may_have_queued_an_article_names_the_key_that_finds_it() {
    let (base_url, keys) = breaking_off();
    let run = run(with_key(&base_url, SECRET, &["generate", "t", "--website-id", "web_1", "--json"])).await.with(3);
    let error = run.json_error();
    let key = error["idempotency_key"].as_str().unwrap();
    assert!(error["advice"].as_str().unwrap().contains(&format!("--idempotency-key {key}")), "{error}");
    assert_eq!(keys.recv().unwrap(), key);
}

#[tokio::test]
async fn waiting_for_a_server_that_is_not_there_ends_at_once() {
    let mut command = contentgen(&["wait", "job_1"]);
    command.env("CONTENTGEN_BASE_URL", closed_port()).env("CONTENTGEN_API_KEY", SECRET);
    let run = run(command).await.with(3);
    assert!(run.error.contains("the server is running"), "{run:?}");
}

#[tokio::test]
async fn mistakes_on_the_command_line_are_usage_errors_in_both_forms() {
    let cases: [(&[&str], &str); 7] = [
        (&["leads", "--nonsense"], "--nonsense"),
        (&["nonsense"], "nonsense"),
        (&["generate"], "TOPIC"),
        (&["generate", "t", "--timeout", "soon"], "90s"),
        (&["generate", "t", "--metadata", "x"], "name=value"),
        (&["websites", "--base-url", "http://a", "--ready-file", "b"], "--base-url"),
        (&["websites", "--ready-file", "no/such/file"], "no/such/file"),
    ];
    for (words, told) in cases {
        let people = run(contentgen(words)).await.with(2);
        assert!(people.error.contains(told) && people.output.is_empty(), "{people:?}");
        let program = run(contentgen(&[words, &["--json"]].concat())).await.with(2);
        let error = program.json_error();
        assert_eq!(error["kind"], "usage");
        assert!(error["message"].as_str().unwrap().contains(told), "{error}");
        assert!(program.output.is_empty(), "{program:?}");
    }
}

#[tokio::test]
async fn a_key_that_is_given_as_an_argument_is_not_repeated() {
    for words in [&["websites", "--api-key", SECRET][..], &["websites", "--api-key=secret_of_nobody"]] {
        let refused = run(contentgen(words)).await.with(2);
        assert!(refused.error.contains("--api-key") && !refused.error.contains(SECRET), "{refused:?}");
    }
}

#[tokio::test]
async fn a_file_that_is_no_ready_file_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ready.json");
    std::fs::write(&path, format!(r#"{{"api_key":"{SECRET}"}}"#)).unwrap();
    let refused = run(contentgen(&["websites", "--ready-file", path.to_str().unwrap()])).await.with(2);
    assert!(refused.error.contains("is not a server's ready file") && !refused.error.contains(SECRET), "{refused:?}");
}
