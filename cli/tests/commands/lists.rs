//! `articles`, `posts` and `leads get`.

use contentgen_sdk::test_util::{MockService, sample};
use contentgen_sdk::types::ArticleSummary;
use serde_json::{Value, json};
use wiremock::matchers::{body_partial_json, path, query_param};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::program::{Ended, at, run, with_key};
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
    assert!(lines[0].starts_with("ID") && lines.len() == 3, "{people:?}");
    assert!(
        lines[1].starts_with(&second) && lines[2].starts_with(&first) && lines[2].contains("published"),
        "{people:?}"
    );
    assert_eq!(list(&["articles", "list"]).await.well().output, people.output);
    let program = list(&["articles", "--json", "--status", "published", "--since", "1h"]).await.well();
    assert_eq!(
        program.json_lines().iter().map(|row| row["id"].clone()).collect::<Vec<_>>(),
        [json!(second), json!(first)]
    );
    assert_eq!(list(&["articles", "--json", "--limit", "1"]).await.well().json_lines().len(), 1);
    assert_eq!(list(&["articles", "--status", "draft"]).await.well().output, "");
    assert_eq!(list(&["articles", "--since", "2099-01-01"]).await.well().output, "");
    let posts = list(&["posts"]).await.well();
    assert!(posts.output.starts_with("ID") && posts.output.contains("Winter squash"), "{posts:?}");
    let posts = list(&["posts", "--json", "--status", "published", "--limit", "1"]).await.well().json_lines();
    assert_eq!((posts.len(), &posts[0]["article_id"]), (1, &json!(second)));
    let people = list(&["posts"]).await.well();
    assert!(people.output.lines().nth(1).unwrap().starts_with(posts[0]["id"].as_str().unwrap()), "{people:?}");
    let id = posts[0]["id"].as_str().unwrap();
    assert_eq!(list(&["posts", "get", id, "--json"]).await.well().json(), posts[0]);
    let people = list(&["posts", "get", id]).await.well();
    for told in [id, second.as_str(), "published", "Winter squash"] {
        assert!(people.output.contains(told), "{told} in {people:?}");
    }
    let unknown = list(&["posts", "get", "post_nothing"]).await.with(1);
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
    let people = run(at(&server, &["leads", "get", &id])).await.well();
    for told in ["ada@example.com", "Ada", r#"{"plan":"large"}"#, "\n\nOne.\nTwo.\n", "Z\n"] {
        assert!(people.output.contains(told), "{told} in {people:?}");
    }
    let program = run(at(&server, &["leads", "get", &id, "--json"])).await.well();
    assert_eq!(program.json()["message"], "One.\nTwo.");
    let unknown = run(at(&server, &["leads", "get", "lead_nothing"])).await.with(1);
    assert!(unknown.error.contains("contentgen leads"), "{unknown:?}");
    server.stop().await;
}

/// The sample articles `art_0`, `art_1` and so on, the first of which is the newest.
fn articles(count: usize) -> Vec<ArticleSummary> {
    (0..count).map(|number| sample::article_summary(&format!("art_{number}"))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_ends_at_its_limit_and_says_how_it_goes_on() {
    let server = demonstration().await;
    for number in 0..103 {
        capture(&server, &format!(r#"{{"email":"reader{number}@example.com"}}"#)).await;
    }
    let list = |words: &[&str]| run(at(&server, &[&["leads"], words].concat()));
    let ids = |ended: &Ended| ended.json_lines().iter().map(|lead| lead["id"].clone()).collect::<Vec<_>>();
    let all = ids(&list(&["--all", "--json"]).await.well());
    assert_eq!(all.len(), 103);
    let first = list(&["--json"]).await.well();
    assert_eq!(ids(&first), all[..100]);
    let told: Value = serde_json::from_str(first.error.lines().last().unwrap()).unwrap();
    let token = told["listed"]["next_page"].as_str().unwrap();
    let rest = list(&["--json", "--page-token", token]).await.well();
    assert_eq!(ids(&rest), all[100..]);
    assert!(!rest.error.contains("next_page"), "{rest:?}");
    let people = list(&["--limit", "2"]).await.well();
    assert!(people.error.starts_with("leads: 2, there are more: --all lists everything, --page-token "), "{people:?}");
    // An export is never cut without being asked.
    assert_eq!(list(&["--csv"]).await.well().output.lines().count(), 104);
    let both = list(&["--all", "--limit", "1"]).await.with(2);
    assert!(both.error.contains("--limit"), "{both:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_was_printed_in_part_is_read_again() {
    // Pages of four, whatever size is requested.
    let service = MockServer::start().await;
    let page = |items: &[ArticleSummary], next: Option<&str>| {
        ResponseTemplate::new(200).set_body_json(json!({ "items": items, "next_page": next }))
    };
    let items = articles(8);
    let second = Mock::given(path("/api/v1/articles")).and(query_param("page_token", "second"));
    second.respond_with(page(&items[4..], None)).mount(&service).await;
    Mock::given(path("/api/v1/articles")).respond_with(page(&items[..4], Some("second"))).mount(&service).await;
    let list = |words: &[&str]| run(with_key(&service.uri(), "key_for_tests", &[&["articles"], words].concat()));
    let cut = list(&["--limit", "6"]).await.well();
    assert!(cut.output.contains("art_5 ") && !cut.output.contains("art_6 "), "{cut:?}");
    assert!(cut.error.contains("--page-token second lists the rest"), "{cut:?}");
    let rest = list(&["--page-token", "second"]).await.well();
    assert!(rest.output.contains("art_4 ") && rest.output.contains("art_7 "), "{rest:?}");
    let early = list(&["--limit", "2"]).await.well();
    assert!(
        early.error.contains("--all") && !early.error.contains("--page-token"),
        "the first page has no token: {early:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_breaks_off_says_where_it_goes_on() {
    let service = MockServer::start().await;
    let broken = Mock::given(path("/api/v1/articles")).and(query_param("page_token", "second"));
    broken.respond_with(ResponseTemplate::new(400)).mount(&service).await;
    let page = ResponseTemplate::new(200).set_body_json(json!({ "items": articles(1), "next_page": "second" }));
    Mock::given(path("/api/v1/articles")).respond_with(page).mount(&service).await;
    let ended = run(with_key(&service.uri(), "key_for_tests", &["articles", "--all"])).await.with(1);
    assert!(ended.output.contains("art_0 ") && ended.error.contains("`--page-token second` continues"), "{ended:?}");
}

/// Starts a server with two pages of leads. On each, the second lead cannot be read; that of the second page has no id either.
async fn damaged_leads() -> MockServer {
    let service = MockServer::start().await;
    let lead = |id: &str| json!(sample::lead(id));
    let mut broken = lead("lead_1");
    broken["captured_at"] = json!("ada@example.com");
    let second = Mock::given(path("/api/v1/leads")).and(query_param("page_token", "second"));
    let page = json!({ "items": [lead("lead_3"), "text"] });
    second.respond_with(ResponseTemplate::new(200).set_body_json(page)).mount(&service).await;
    let page = json!({ "items": [lead("lead_0"), broken, lead("lead_2")], "next_page": "second" });
    let page = ResponseTemplate::new(200).insert_header("x-request-id", "req_1").set_body_json(page);
    Mock::given(path("/api/v1/leads")).respond_with(page).mount(&service).await;
    service
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_cannot_be_read_is_reported_and_the_others_are_printed() {
    let service = damaged_leads().await;
    let list = |words: &[&str]| run(with_key(&service.uri(), "key_for_tests", &[&["leads"], words].concat()));
    let people = list(&["--all"]).await.with(1);
    let rows: Vec<&str> = people.output.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(rows, ["ID", "lead_0", "lead_2", "lead_3"]);
    let told = [
        "the item #/items/1 (lead_1) of the page",
        "  request id: req_1\n",
        "the item #/items/1 of the page",
        "  `--page-token second` lists its page\n",
        "leads: 3\nerror: 2 of 5 leads could not be read\n",
    ];
    for told in told {
        assert!(people.error.contains(told), "{told} in {people:?}");
    }
    assert!(!people.error.contains("ada@") && !people.error.contains("BASE_URL"), "{people:?}");
    let program = list(&["--all", "--json"]).await.with(1);
    let ids: Vec<Value> = program.json_lines().into_iter().map(|lead| lead["id"].clone()).collect();
    assert_eq!(ids, ["lead_0", "lead_2", "lead_3"]);
    let told: Vec<Value> = program.error.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&told[0]["error"]["id"], &told[0]["error"]["pointer"]), (&json!("lead_1"), &json!("#/items/1")));
    assert_eq!((&told[1]["error"]["page_token"], &told[1]["error"]["id"]), (&json!("second"), &Value::Null));
    assert_eq!(
        (&told[2]["listed"], &told[3]["error"]["exit_code"]),
        (&json!({ "leads": 3, "unreadable": 2 }), &json!(1))
    );
    // An entry that cannot be read counts towards the limit, and the rest can be listed.
    let cut = list(&["--limit", "3"]).await.with(1);
    assert!(cut.output.contains("lead_2") && !cut.output.contains("lead_3"), "{cut:?}");
    assert!(cut.error.contains("--page-token second lists the rest"), "{cut:?}");
    let one = list(&["--limit", "1"]).await.well();
    assert!(one.output.contains("lead_0") && !one.error.contains("error"), "{one:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_contains_every_lead_that_can_be_read() {
    let service = damaged_leads().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("leads.csv");
    let words = ["leads", "--csv", "--raw", "--output", file.to_str().unwrap()];
    let exported = run(with_key(&service.uri(), "key_for_tests", &words)).await.with(1);
    let table = std::fs::read_to_string(&file).unwrap();
    let ids: Vec<&str> = table.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(ids, ["\"id\"", "\"lead_0\"", "\"lead_2\"", "\"lead_3\""]);
    assert!(exported.error.contains("(lead_1)") && exported.error.contains("2 of 5 leads"), "{exported:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_website_that_cannot_be_read_does_not_hide_the_active_one() {
    let service = MockServer::start().await;
    let page = json!({ "items": [{ "website_id": "web_0" }, sample::website("web_1")] });
    Mock::given(path("/api/v1/websites"))
        .respond_with(ResponseTemplate::new(200).set_body_json(page))
        .mount(&service)
        .await;
    let queued = Mock::given(path("/api/v1/generate")).and(body_partial_json(json!({ "website_id": "web_1" })));
    queued.respond_with(ResponseTemplate::new(400)).expect(1).mount(&service).await;
    run(with_key(&service.uri(), "key_for_tests", &["generate", "Leeks"])).await.with(1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pipe_gets_whole_values_and_programs_choose_fields() {
    let service = MockService::start().await;
    let mut article = sample::article_summary("art_1");
    let url = format!("https://garden.example/{}", "long/".repeat(60));
    article.url = Some(url.clone());
    article.title = "Long ".repeat(60).trim_end().to_owned();
    service.set_articles(std::slice::from_ref(&article));
    service.add_article(&sample::article("art_1"));
    let call = |words: &[&str]| run(with_key(&service.base_url(), "key_for_tests", words));
    let piped = call(&["articles"]).await.well();
    assert!(piped.output.contains(&url) && piped.output.contains(&article.title), "{piped:?}");
    let chosen = call(&["articles", "--json=id, url,nothing"]).await.well();
    assert_eq!(chosen.json_lines(), [json!({ "id": "art_1", "url": url, "nothing": null })]);
    let one = call(&["articles", "get", "art_1", "--json=id"]).await.well();
    assert_eq!(one.json(), json!({ "id": "art_1" }));
    // Options of all commands may come anywhere.
    let early = call(&["--json=id", "articles", "get", "art_1"]).await.well();
    assert_eq!(early.json(), json!({ "id": "art_1" }));
    let wrong = call(&["articles", "--json=id", "--nonsense"]).await.with(2);
    assert_eq!(wrong.json_error()["kind"], "usage");
    let mixed = call(&["articles", "--status", "draft", "get", "art_1"]).await.with(2);
    assert!(mixed.error.contains("--status"), "{mixed:?}");
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
    for words in [&["leads", "get", "lead_1"][..], &["articles"], &["articles", "--json"], &["api", "/api/v1/articles"]]
    {
        let shown = run(with_key(&service.base_url(), "key_for_tests", words)).await.well();
        let steers = |letter: char| letter.is_control() && letter != '\n';
        assert!(!shown.output.contains(steers), "{shown:?}");
    }
}
