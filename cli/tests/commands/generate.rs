//! `generate`.

use contentgen_sdk::test_util::{MockService, sample};
use serde_json::json;

use super::program::{at, contentgen, run, with_key};
use super::server::{base_url, demonstration, holding, idle};
use super::signal::Started;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_id_of_the_job_is_all_that_a_script_gets_and_people_are_told_what_to_do() {
    let server = demonstration().await;
    let queued = run(at(&server, &["generate", "Keeping bees on a balcony"])).await.well();
    let job_id = queued.output.trim_end();
    assert!(job_id.starts_with("job_") && queued.output.lines().count() == 1, "{queued:?}");
    let lines: Vec<&str> = queued.error.lines().collect();
    assert!(lines[0].starts_with("idempotency key: "), "{queued:?}");
    assert_eq!(lines[1..], [format!("queued; `contentgen wait {job_id}` waits until the article is written")]);
    let quiet = run(at(&server, &["generate", "Keeping hens", "--quiet"])).await.well();
    assert_eq!(quiet.error, "");
    let document = run(at(&server, &["generate", "Keeping ducks", "--json"])).await.well();
    assert_eq!((&document.json()["topic"], &document.json()["status"]), (&json!("Keeping ducks"), &json!("queued")));
    let noted: serde_json::Value = serde_json::from_str(&document.error).unwrap();
    assert!(noted["sending"]["idempotency_key"].as_str().is_some_and(|key| key.len() > 20), "{document:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_article_is_waited_for_and_printed() {
    let server = demonstration().await;
    let words = ["generate", "Keeping bees on a balcony", "--wait", "--metadata", "row=7", "--words", "400"];
    let people = run(at(&server, &words)).await.well();
    assert!(people.output.starts_with("# ") && people.output.contains("\n## "), "{people:?}");
    // No progress bar without a terminal.
    assert!(people.error.contains("\nqueued as job_") && people.error.lines().count() == 2, "{people:?}");
    let program = run(at(&server, &[&words[..], &["--json"]].concat())).await.well();
    assert_eq!(program.json()["metadata"], json!({ "row": "7" }));
    assert!(program.json()["content_markdown"].as_str().is_some_and(|text| text.len() > 1000));
    let noted: serde_json::Value = serde_json::from_str(program.error.lines().last().unwrap()).unwrap();
    assert_eq!(noted["queued"]["job_id"], program.json()["job_id"]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_that_can_be_asked_for_is_sent() {
    let service = MockService::start().await;
    service.set_queued_job("job_1");
    let words = [
        "generate",
        "Rye",
        "--website-id",
        "web_9",
        "--keywords",
        "rye starter,winter",
        "--keywords",
        "flour",
        "--words",
        "300",
        "--language",
        "de",
        "--metadata",
        "a=b=c",
        "--metadata",
        "d=",
        "--auto-publish=false",
        "--publish-at",
        "2026-11-02T09:00:00+01:00",
        "--idempotency-key",
        "row-1",
    ];
    run(with_key(&service.base_url(), "key_for_tests", &words)).await.well();
    let sent = &service.bodies_of("generate").await[0];
    let expected = json!({
        "topic": "Rye", "website_id": "web_9", "keywords": ["rye starter", "winter", "flour"],
        "target_word_count": 300, "language": "de", "metadata": { "a": "b=c", "d": "" }, "auto_publish": false,
        "publish_at": "2026-11-02T08:00:00Z"
    });
    assert_eq!(sent, &expected);
    let requests = service.requests_of("generate").await;
    assert_eq!(requests[0].headers["idempotency-key"], "row-1");
    assert!(requests[0].headers["user-agent"].to_str().unwrap().starts_with("contentgen-cli/"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_active_website_is_written_for_unless_one_is_named() {
    let service = MockService::start().await;
    service.set_queued_job("job_1");
    let paused = {
        let mut paused = sample::website("web_1");
        paused.status = "paused".into();
        paused
    };
    service.set_websites(&[paused.clone(), sample::website("web_2")]);
    let generate = || with_key(&service.base_url(), "key_for_tests", &["generate", "Rye"]);
    run(generate()).await.well();
    let mut named = generate();
    named.env("CONTENTGEN_WEBSITE_ID", "web_3");
    run(named).await.well();
    let sent = service.bodies_of("generate").await;
    assert_eq!((&sent[0]["website_id"], &sent[1]["website_id"]), (&json!("web_2"), &json!("web_3")));
    service.set_websites(&[paused]);
    let none = run(generate()).await.with(1);
    assert!(none.error.contains("no active website") && none.error.contains("--website-id"), "{none:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_idempotency_key_queues_once() {
    let server = idle().await;
    let queue = || run(at(&server, &["generate", "Leeks", "--idempotency-key", "row-1"]));
    let (first, second) = (queue().await.well(), queue().await.well());
    assert_eq!(first.output, second.output);
    assert!(second.error.contains("queued the article before"), "{second:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ready_file_names_server_key_and_website() {
    let server = demonstration().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ready.json");
    let account = &server.accounts()[0];
    let ready = json!({
        "base_url": base_url(&server),
        "accounts": [{ "api_key": account.api_key, "website_id": account.website_id }]
    });
    std::fs::write(&path, ready.to_string()).unwrap();
    let mut command = contentgen(&["--json", "generate", "Rhubarb", "--ready-file"]);
    // A ready file takes precedence over the environment.
    command.arg(&path).env("CONTENTGEN_WEBSITE_ID", "web_of_another_server");
    let queued = run(command).await.well();
    assert_eq!(queued.json()["website_id"], json!(account.website_id));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_the_time_is_over_the_job_goes_on() {
    let server = idle().await;
    let words = ["generate", "Winter squash", "--wait", "--timeout", "1s"];
    let as_json = [&["--json"], &words[..]].concat();
    let (people, program) = tokio::join!(run(at(&server, &words)), run(at(&server, &as_json)));
    let (people, program) = (people.with(4), program.with(4));
    assert!(people.error.contains("the job continues; `contentgen wait job_"), "{people:?}");
    assert_eq!(people.output, "");
    let error = program.json_error();
    assert_eq!((&error["kind"], &error["exit_code"]), (&json!("timed_out"), &json!(4)));
    assert!(error["job_id"].as_str().is_some_and(|id| id.starts_with("job_")), "{error}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_interrupts_the_wait_is_told_how_to_take_it_up() {
    let server = idle().await;
    let waiting = Started::new(at(&server, &["--json", "generate", "Winter squash", "--wait"]));
    let (code, output, error) = tokio::task::block_in_place(|| {
        assert!(waiting.error().contains("sending"));
        assert!(waiting.error().contains("job_"));
        waiting.interrupt();
        waiting.end()
    });
    assert_eq!((code, output.as_str()), (Some(130), ""));
    let error: serde_json::Value = serde_json::from_str(&error).unwrap();
    assert_eq!(error["error"]["kind"], "interrupted");
    assert!(error["error"]["advice"].as_str().is_some_and(|text| text.contains("contentgen wait job_")), "{error}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_interrupts_the_queueing_has_the_key_that_finds_the_article() {
    let (base_url, requests) = holding();
    for is_told_to_end in [false, true] {
        let words = ["--json", "generate", "Winter squash", "--website-id", "web_1"];
        let sending = Started::new(with_key(&base_url, "key_for_tests", &words));
        let (request, told, (code, output, error)) = tokio::task::block_in_place(|| {
            let told = sending.error();
            let request = requests.recv().unwrap();
            if is_told_to_end {
                sending.terminate();
            } else {
                sending.interrupt();
            }
            (request, told, sending.end())
        });
        assert_eq!((code, output.as_str()), (Some(if is_told_to_end { 143 } else { 130 }), ""), "{error}");
        let key = request.iter().find_map(|line| line.strip_prefix("idempotency-key: ")).unwrap();
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let error: serde_json::Value = serde_json::from_str(&error).unwrap();
        assert_eq!(told["sending"]["idempotency_key"], key);
        assert_eq!(error["error"]["idempotency_key"], key);
        assert!(error["error"]["advice"].as_str().unwrap().contains(&format!("--idempotency-key {key}")), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_article_that_is_waited_for_goes_into_a_file_in_a_form() {
    let server = demonstration().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("article.html");
    let name = path.to_str().unwrap();
    let words = ["generate", "Keeping bees", "--wait", "--output", name, "--format", "html"];
    let written = run(at(&server, &words)).await.well();
    assert!(written.output.is_empty() && written.error.ends_with(&format!("wrote {name}\n")), "{written:?}");
    assert!(std::fs::read_to_string(&path).unwrap().contains("<h2"));
    // An unwritable output file is reported before an article is queued for it.
    let nowhere = folder.path().join("no/such/folder.md");
    let refused =
        run(at(&server, &["generate", "Hens", "--wait", "--output", nowhere.to_str().unwrap()])).await.with(1);
    assert!(refused.error.contains("cannot be written") && !refused.error.contains("queued as"), "{refused:?}");
    server.stop().await;
}
