//! `articles get`.

use std::fs;

use serde_json::json;

use super::program::{at, run, with_key};
use super::server::{article, demonstration};
use contentgen_sdk::test_util::{MockService, sample};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_article_is_printed_in_each_of_its_forms() {
    let server = demonstration().await;
    let id = article(&server, "How to store seed potatoes").await;
    let form = |format: &'static str| run(at(&server, &["articles", "get", &id, "--format", format]));
    let markdown = form("markdown").await.well().output;
    assert!(
        markdown.starts_with("# ") && markdown.contains("\n## ") && markdown.contains("Published at <"),
        "{markdown}"
    );
    assert_eq!(run(at(&server, &["articles", "get", &id])).await.well().output, markdown);
    let html = form("html").await.well().output;
    assert!(html.contains("<h2") && html.ends_with(">\n"), "{html}");
    let text = form("text").await.well().output;
    assert!(!text.contains("## ") && !text.contains("](") && text.len() > 1000, "{text}");
    let summary = form("summary").await.well().output;
    assert!(summary.starts_with("id ") && summary.contains(&id), "{summary}");
    let published = summary.lines().find(|line| line.starts_with("published "));
    assert!(published.is_some_and(|line| line.ends_with('Z')), "a time in another form: {summary}");
    let program = run(at(&server, &["articles", "get", &id, "--json"])).await.well();
    assert_eq!(program.json()["id"], json!(id));
    assert!(program.json()["json_ld"].is_object());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_replaced_as_a_whole_or_not_at_all() {
    let server = demonstration().await;
    let id = article(&server, "Winter squash").await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("article.md");
    let name = path.to_str().unwrap();
    fs::write(&path, "the old one").unwrap();
    let unknown = run(at(&server, &["articles", "get", "art_nothing", "--output", name])).await.with(1);
    assert!(unknown.error.contains("article_not_found") && unknown.error.contains("request id: req_"), "{unknown:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "the old one");
    let written = run(at(&server, &["articles", "get", &id, "--output", name])).await.well();
    assert_eq!((written.output.as_str(), written.error), ("", format!("wrote {name}\n")));
    let printed = run(at(&server, &["articles", "get", &id, "--output", "-"])).await.well();
    assert_eq!(fs::read_to_string(&path).unwrap(), printed.output);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left behind");
    let nowhere = folder.path().join("no/such/folder.md");
    let refused = run(at(&server, &["articles", "get", &id, "--output", nowhere.to_str().unwrap()])).await.with(1);
    assert!(
        refused.error.contains("cannot be written")
            && refused.error.contains("--output")
            && !refused.error.contains(".contentgen-"),
        "{refused:?}"
    );
    run(at(&server, &["articles", "get", &id, "--output", "/dev/null"])).await.well();
    assert!(!fs::metadata("/dev/null").unwrap().is_file(), "a device is not replaced");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_that_the_server_did_not_send_is_named() {
    let service = MockService::start().await;
    let mut article = sample::article("art_1");
    article.content_html = None;
    service.add_article(&article);
    let call = |words: &[&str]| run(with_key(&service.base_url(), "key_for_tests", words));
    let missing = call(&["articles", "get", "art_1", "--format", "html"]).await.with(1);
    assert!(missing.error.contains("content_html") && missing.error.contains("--format"), "{missing:?}");
    let text = call(&["articles", "get", "art_1", "--format", "text"]).await.well();
    assert!(text.output.contains("Choose a place\n\nSun matters most.\n"), "{text:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirected_article_has_the_bytes_of_the_file() {
    let service = MockService::start().await;
    let mut article = sample::article("art_1");
    article.content_markdown = Some("A\u{7}bell\r\n\n##[group]x\n".to_owned());
    service.add_article(&article);
    let folder = tempfile::tempdir().unwrap();
    let (written, redirected) = (folder.path().join("written.md"), folder.path().join("redirected.md"));
    let call = |words: &[&str]| {
        with_key(&service.base_url(), "key_for_tests", &[&["articles", "get", "art_1"], words].concat())
    };
    run(call(&["--output", written.to_str().unwrap()])).await.well();
    let mut command = call(&[]);
    command.stdout(fs::File::create(&redirected).unwrap());
    let ended = tokio::task::block_in_place(|| command.output().unwrap());
    assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
    let bytes = fs::read_to_string(written).unwrap();
    assert!(bytes.contains("A\u{7}bell\r\n") && bytes.contains("##[group]"), "{bytes:?}");
    assert_eq!(fs::read_to_string(redirected).unwrap(), bytes);
    // A pipe may end in a terminal or in the log of a CI system.
    assert!(!run(call(&[])).await.well().output.contains("##["));
}
