//! `demo trigger` against the demonstration, whose hooks `listen` receives.

use contentgen_server_stub::domain::event::EventType;
use serde_json::{Value, json};

use super::program::{at, contentgen, run, with_key};
use super::server::{base_url, demonstration, free_address};
use super::signal::Started;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_event_happens_and_its_hook_arrives() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ready.json");
    let ready = json!({ "base_url": base_url(&server), "dashboard_url": server.dashboard_url(), "accounts": [{
        "api_key": account.api_key, "website_id": account.website_id, "failing_topic": account.failing_topic
    }] });
    std::fs::write(&path, ready.to_string()).unwrap();
    let address = free_address();
    let events = [EventType::LeadCaptured, EventType::ArticlePublished, EventType::JobFailed];
    let (_id, secret) = server.create_hook(&account.name, &format!("http://{address}/hooks"), &events).await.unwrap();
    let mut command = contentgen(&["listen", "--listen", &address.to_string(), "--json", "--count", "4"]);
    command.env("CONTENTGEN_HOOK_SECRET", &secret);
    let listener = Started::new(command);
    tokio::task::block_in_place(|| listener.error());
    // The second lead is a new one, even if it follows at once.
    for event in ["lead.captured", "lead.captured", "article.published", "job.failed"] {
        let made =
            run(contentgen(&["demo", "trigger", event, "--ready-file", path.to_str().unwrap(), "--json"])).await.well();
        assert_eq!(made.json()["event"], event, "{made:?}");
    }
    let (code, output, error) = tokio::task::block_in_place(|| listener.end());
    assert_eq!(code, Some(0), "{output}{error}");
    let lines: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |kind: &str| lines.iter().filter(|line| line["type"] == kind).count();
    assert_eq!((count("lead.captured"), count("article.published"), count("job.failed")), (2, 1, 1), "{output}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_makes_up_nothing_on_a_server_that_is_no_demonstration() {
    let elsewhere =
        run(with_key("https://content.example", "key_for_tests", &["demo", "trigger", "lead.captured"])).await.with(2);
    assert!(elsewhere.error.contains("not a demonstration server"), "{elsewhere:?}");
    let server = demonstration().await;
    let unknown = run(at(&server, &["demo", "trigger", "job.failed"])).await.with(2);
    assert!(unknown.error.contains("--ready-file"), "{unknown:?}");
    let unknown = run(at(&server, &["demo", "trigger", "moon.risen"])).await.with(2);
    assert!(unknown.error.contains("article.published"), "{unknown:?}");
    server.stop().await;
}
