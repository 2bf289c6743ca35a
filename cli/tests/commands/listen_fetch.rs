//! `listen` behind the reference server: hooks that it sends, and the articles that they announce.

use std::net::TcpListener;

use contentgen_server_stub::domain::event::EventType;
use serde_json::{Value, json};

use super::program::{at, run};
use super::server::{capture, demonstration};
use super::signal::Started;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_on_the_server_is_printed_and_announced_articles_are_fetched() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
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
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let only = [EventType::ArticlePublished];
    let (_id, secret) = server.create_hook(&account.name, &format!("http://{address}/"), &only).await.unwrap();
    let words = ["listen", "--listen", &address.to_string(), "--fetch", "--count", "1"];
    let mut command = at(&server, &words);
    // The key of another account does not see the article.
    command.env("CONTENTGEN_HOOK_SECRET", &secret).env("CONTENTGEN_API_KEY", &server.accounts()[1].api_key);
    let listener = Started::new(command);
    tokio::task::block_in_place(|| listener.error());
    run(at(&server, &["generate", "Rhubarb"])).await.well();
    let (code, output, error) = tokio::task::block_in_place(|| listener.end());
    assert_eq!((code, output.lines().count()), (Some(1), 1), "{output}{error}");
    assert!(error.contains("article_not_found") && error.contains("could not be fetched: 1"), "{error}");
    server.stop().await;
}
