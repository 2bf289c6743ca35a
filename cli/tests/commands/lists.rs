//! `articles`, `posts`, `post` and `lead`.

use contentgen_sdk::test_util::{MockService, sample};
use serde_json::json;

use super::program::{at, run, with_key};
use super::server::{article, capture, demonstration};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn articles_and_the_pipeline_are_listed_for_people_and_programs() {
    let server = demonstration().await;
    let list = |words: &[&str]| run(at(&server, words));
    let none = list(&["articles"]).await.well();
    assert_eq!((none.output.as_str(), none.error.as_str()), ("", "no articles\n"));
    let first = article(&server, "How to store seed potatoes").await;
    let second = article(&server, "Winter squash").await;
    let people = list(&["articles"]).await.well();
    let lines: Vec<&str> = people.output.lines().collect();
    assert!(lines[0].starts_with("WRITTEN") && lines.len() == 3, "{people:?}");
    assert!(lines[1].contains(&second) && lines[2].contains(&first) && lines[2].contains("published"), "{people:?}");
    let program = list(&["articles", "--json", "--status", "published", "--since", "1h"]).await.well();
    assert_eq!(
        program.json_lines().iter().map(|row| row["id"].clone()).collect::<Vec<_>>(),
        [json!(second), json!(first)]
    );
    assert_eq!(list(&["articles", "--json", "--limit", "1"]).await.well().json_lines().len(), 1);
    assert_eq!(list(&["articles", "--status", "draft"]).await.well().output, "");
    assert_eq!(list(&["articles", "--since", "2099-01-01"]).await.well().output, "");
    let posts = list(&["posts"]).await.well();
    assert!(posts.output.starts_with("QUEUED") && posts.output.contains("Winter squash"), "{posts:?}");
    let posts = list(&["posts", "--json", "--status", "published", "--limit", "1"]).await.well().json_lines();
    assert_eq!((posts.len(), &posts[0]["article_id"]), (1, &json!(second)));
    let id = posts[0]["id"].as_str().unwrap();
    assert_eq!(list(&["post", id, "--json"]).await.well().json(), posts[0]);
    let people = list(&["post", id]).await.well();
    for told in [id, second.as_str(), "published", "Winter squash"] {
        assert!(people.output.contains(told), "{told} in {people:?}");
    }
    let unknown = list(&["post", "post_nothing"]).await.with(1);
    assert!(unknown.error.contains("contentgen posts"), "{unknown:?}");
    let wrong = list(&["posts", "--status", "lost"]).await.with(2);
    assert!(wrong.error.contains("generating"), "{wrong:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lead_is_shown_with_everything() {
    let server = demonstration().await;
    capture(
        &server,
        r#"{"email":"ada@example.com","name":"Ada","message":"One.\nTwo.","fields":{"plan":"large"},"consent":{"given":true}}"#,
    )
    .await;
    let id = run(at(&server, &["leads", "--json"])).await.well().json_lines()[0]["id"].as_str().unwrap().to_owned();
    let people = run(at(&server, &["lead", &id])).await.well();
    for told in ["ada@example.com", "Ada", r#"{"plan":"large"}"#, "\n\nOne.\nTwo.\n", "Z\n"] {
        assert!(people.output.contains(told), "{told} in {people:?}");
    }
    let program = run(at(&server, &["lead", &id, "--json"])).await.well();
    assert_eq!(program.json()["message"], "One.\nTwo.");
    let unknown = run(at(&server, &["lead", "lead_nothing"])).await.with(1);
    assert!(unknown.error.contains("contentgen leads"), "{unknown:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_in_the_lists_steers_the_terminal() {
    let service = MockService::start().await;
    let mut lead = sample::lead("lead_1");
    lead.message = Some("a\u{1b}[2Jb".to_owned());
    lead.name = Some("c\u{9b}d".to_owned());
    service.set_leads(&[lead]);
    let mut summary = sample::article_summary("art_1");
    summary.title = "a\u{1b}[2Jb".to_owned();
    service.set_articles(&[summary]);
    for words in [&["lead", "lead_1"][..], &["articles"], &["articles", "--json"], &["api", "GET", "/api/v1/articles"]]
    {
        let shown = run(with_key(&service.base_url(), "key_for_tests", words)).await.well();
        let steers = |letter: char| letter.is_control() && letter != '\n';
        assert!(!shown.output.contains(steers), "{shown:?}");
    }
}
