//! Servers and strangers that try to control the terminal.

use contentgen_sdk::test_util::{MockService, sample};
use contentgen_sdk::types::JobStatus;
use serde_json::json;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::program::{Ended, run, with_key};

/// Clears the screen in two forms, sets the title, reverses the order of letters, and gives commands to CI systems that read the output.
const ATTACK: &str = "\u{1b}[2J\u{9b}2J\u{1b}]0;owned\u{7}\u{202e}##[set-output name=x]y##[add-mask]x\
                      ##vso[task.setvariable variable=x]y##teamcity[buildStop]";

/// Checks that both outputs contain only text and line breaks.
#[track_caller]
fn is_harmless(ended: &Ended) {
    for text in [&ended.output, &ended.error] {
        let steers = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
        assert!(!text.contains(steers), "{ended:?}");
    }
    has_no_command(ended);
}

/// Checks that no line of both outputs is a command for a CI system.
#[track_caller]
fn has_no_command(ended: &Ended) {
    for line in ended.output.lines().chain(ended.error.lines()) {
        let is_command = ["##[", "##vso[", "##teamcity["].iter().any(|command| line.contains(command));
        assert!(!is_command && !line.trim_start().starts_with("::"), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_others_wrote_steers_the_terminal() {
    let service = MockService::start().await;
    let mut article = sample::article("art_1");
    article.title = Some(format!("Beds{ATTACK}"));
    article.content_markdown = Some("Sun\u{1b}[2J\u{9b}2J matters\n::add-mask::x\n ##[stop-commands]x".to_owned());
    service.add_article(&article);
    let mut job = sample::job("job_1", JobStatus::Failed);
    job.error.as_mut().unwrap().message = format!("Broken{ATTACK}");
    service.add_job(&job);
    let mut lead = sample::lead("lead_1");
    (lead.name, lead.message) = (Some(format!("Robin{ATTACK}")), Some(format!("a\r\nb{ATTACK}")));
    service.set_leads(&[lead]);
    let mut website = sample::website("web_1");
    website.name = format!("Notes{ATTACK}");
    service.set_websites(&[website]);
    service.set_queued_job(&format!("::add-mask::{ATTACK}"));
    let call = |words: &[&str]| run(with_key(&service.base_url(), "key_for_tests", words));
    for (words, code) in [
        (&["articles", "get", "art_1", "--format", "summary"][..], 0),
        (&["articles", "get", "art_1", "--json"], 0),
        (&["wait", "job_1"], 5),
        (&["wait", "job_1", "--json"], 5),
        (&["jobs", "get", "job_1"], 0),
        (&["leads", "--show-personal"], 0),
        (&["leads", "--json", "--show-personal"], 0),
        (&["websites"], 0),
        (&["websites", "--json"], 0),
        (&["generate", "t"], 0),
        (&["generate", "t", "--json"], 0),
        (&["articles", "get", "art\u{1b}[2J"], 1),
    ] {
        is_harmless(&call(words).await.with(code));
    }
    for words in
        [&["articles", "get", "art_1"][..], &["articles", "get", "art_1", "--format", "text"], &["leads", "--csv"]]
    {
        let ended = call(words).await.well();
        let steers = |letter: char| letter.is_control() && letter != '\n';
        // A line of CSV ends with both (RFC 4180).
        let output = ended.output.replace("\r\n", "\n");
        assert!(!output.contains(steers) && output.contains(r"\u{1b}[2J"), "{ended:?}");
        has_no_command(&ended);
    }
    // JSON output keeps the original text for programs.
    let read = call(&["articles", "get", "art_1", "--json"]).await.json();
    assert_eq!(read["title"].as_str(), article.title.as_deref());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_website_id_does_not_steer_the_terminal_when_an_event_is_triggered() {
    let server = MockServer::start().await;
    let website = sample::website(&format!("web_{ATTACK}"));
    let page = ResponseTemplate::new(200).set_body_json(json!({ "items": [website] }));
    Mock::given(path("/api/v1/websites")).respond_with(page).mount(&server).await;
    let queued = ResponseTemplate::new(202).set_body_json(sample::queued_job(&format!("job_{ATTACK}")));
    Mock::given(path("/api/v1/generate")).respond_with(queued).mount(&server).await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(202)).mount(&server).await;
    for event in ["lead.captured", "article.published"] {
        for words in [&["demo", "trigger", event][..], &["demo", "trigger", event, "--json"]] {
            let ended = run(with_key(&server.uri(), "key_for_tests", words)).await.well();
            assert!(ended.output.contains(event), "{ended:?}");
            is_harmless(&ended);
        }
    }
}
