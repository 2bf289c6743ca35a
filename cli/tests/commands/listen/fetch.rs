//! `listen` with hooks of the reference server, and the articles that they announce.

use contentgen_sdk::test_util::{HookSigner, sample};
use contentgen_server_stub::domain::event::EventType;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::program::{at, run, with_key};
use crate::server::{capture, demonstration, free_address, holding, http};
use crate::signal::Started;

/// Maximum number of articles that are fetched at a time.
const MOST_FETCHES: usize = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_on_the_server_is_printed_and_announced_articles_are_fetched() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let address = free_address();
    let (_id, secret) = server.create_hook(&account.name, &format!("http://{address}/hooks"), &[]).await.unwrap();
    let mut command = at(&server, &["listen", "--listen", &address.to_string(), "--json", "--fetch", "--count", "2"]);
    command.env("CONTENTGEN_HOOK_SECRET", &secret);
    let listener = Started::new(command);
    tokio::task::block_in_place(|| listener.error());
    capture(&server, r#"{"email":"ada@example.com"}"#).await;
    run(at(&server, &["generate", "Rhubarb"])).await.well();
    let (code, output, error) = tokio::task::block_in_place(|| listener.end());
    assert_eq!(code, Some(0), "{output}{error}");
    assert!(!output.contains("ada@") && !output.contains(&secret) && !error.contains(&secret), "{output}{error}");
    let lines: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let published = lines.iter().find(|line| line["type"] == "article.published").unwrap();
    let fetched = lines.iter().find_map(|line| line.get("article")).unwrap();
    assert_eq!(fetched["id"], published["data"]["article"]["id"]);
    assert!(fetched["content_markdown"].as_str().is_some_and(|text| text.len() > 1000));
    assert!(lines.iter().any(|line| line["type"] == json!("lead.captured")), "{output}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_article_that_cannot_be_fetched_is_told_at_the_end() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let address = free_address();
    let only = [EventType::ArticlePublished];
    let (_id, secret) = server.create_hook(&account.name, &format!("http://{address}/"), &only).await.unwrap();
    let words = ["listen", "--listen", &address.to_string(), "--fetch", "--count", "1"];
    let mut command = at(&server, &words);
    // The key of another account cannot read the article.
    command.env("CONTENTGEN_HOOK_SECRET", &secret).env("CONTENTGEN_API_KEY", &server.accounts()[1].api_key);
    let listener = Started::new(command);
    tokio::task::block_in_place(|| listener.error());
    run(at(&server, &["generate", "Rhubarb"])).await.well();
    let (code, output, error) = tokio::task::block_in_place(|| listener.end());
    assert_eq!((code, output.lines().count()), (Some(1), 1), "{output}{error}");
    assert!(error.contains("article_not_found") && error.contains("could not be fetched: 1"), "{error}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_articles_are_fetched_at_a_time_than_the_limit_says() {
    let signer = HookSigner::new();
    let (base_url, requests) = holding();
    let words = ["listen", "--listen", "127.0.0.1:0", "--json", "--fetch", "--remind-after", "1s"];
    let mut command = with_key(&base_url, "key_for_tests", &words);
    command.env("CONTENTGEN_HOOK_SECRET", signer.secret());
    let listener = Started::new(command);
    let told: Value = serde_json::from_str(&tokio::task::block_in_place(|| listener.error())).unwrap();
    let url = told["listening"]["url"].as_str().unwrap().to_owned();
    let send = |number: usize| {
        let summary = sample::article_summary(&format!("art_{number}"));
        let hook = signer.sign(&sample::article_published(&format!("evt_{number}"), &summary));
        let request = http().post(&url).headers(hook.headers).body(hook.body);
        async move { request.send().await.unwrap().status().as_u16() }
    };
    for number in 0..MOST_FETCHES {
        assert_eq!(send(number).await, 204);
        tokio::task::block_in_place(|| requests.recv().unwrap());
    }
    // The program takes the next hook when one of those articles has come. None does, so it asks the sender to retry.
    let mut next = JoinSet::new();
    next.spawn(send(MOST_FETCHES));
    let (code, output, error) = tokio::task::block_in_place(|| {
        // The reminder about missing hooks gives the program time to make the mistake.
        let reminder = listener.error();
        assert!(reminder.contains("waiting"), "{reminder}");
        listener.interrupt();
        listener.end()
    });
    let more = requests.try_recv();
    assert!(more.is_err(), "one more article was asked for: {more:?}");
    assert_eq!((code, output.lines().count()), (Some(0), MOST_FETCHES), "{output}{error}");
    assert_eq!(next.join_next().await.unwrap().unwrap(), 503);
}
