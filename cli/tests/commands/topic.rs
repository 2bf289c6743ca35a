//! Sources of the topic for `generate`, and errors of unusable topics.

use contentgen_sdk::test_util::MockService;
use serde_json::json;

use super::program::{self, Ended, at, contentgen, run, with_key};
use super::server::demonstration;

/// Maximum number of bytes of a topic that are read from a file.
const MOST_TOPIC_BYTES: usize = 4096;

/// Runs the program with a text on its standard input.
async fn fed(service: &MockService, words: &[&str], text: &str) -> Ended {
    program::fed(with_key(&service.base_url(), "key_for_tests", words), text).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_topic_comes_from_the_command_line_a_file_or_standard_input() {
    let service = MockService::start().await;
    service.set_queued_job("job_1");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("topic.txt");
    std::fs::write(&path, "Figs from a file\n").unwrap();
    let site = ["--website-id", "web_1"];
    fed(&service, &[&["generate", "-"][..], &site].concat(), "Figs from a pipe\n").await.well();
    fed(&service, &[&["generate", "--topic-file", path.to_str().unwrap()][..], &site].concat(), "").await.well();
    fed(&service, &[&["generate", "--topic-file", "-"][..], &site].concat(), "Figs again").await.well();
    let topics: Vec<_> = service.bodies_of("generate").await.iter().map(|body| body["topic"].clone()).collect();
    assert_eq!(topics, [json!("Figs from a pipe"), json!("Figs from a file"), json!("Figs again")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_topic_that_cannot_be_sent_is_refused_in_words_of_the_command_line() {
    let service = MockService::start().await;
    let long = "x".repeat(1001);
    let huge = "x".repeat(MOST_TOPIC_BYTES + 1);
    let cases: [(&[&str], &str, &str); 8] = [
        (&["generate", ""], "", "the topic is empty"),
        (&["generate", "  \n"], "", "the topic is empty"),
        (&["generate", "-"], "\n", "the topic is empty"),
        (&["generate", &long], "", "at most 1000"),
        (&["generate", "-"], &huge, "more than 4096 bytes"),
        (&["generate", "--topic-file", "no/such/file"], "", "no/such/file cannot be read"),
        (&["generate", "t", "--topic-file", "f"], "", "--topic-file"),
        (&["generate", "t", "--words", "3"], "", "--words"),
    ];
    for (words, input, told) in cases {
        let refused = fed(&service, &[words, &["--website-id", "web_1"]].concat(), input).await.with(2);
        assert!(refused.error.contains(told), "{told}: {refused:?}");
        assert!(!refused.error.contains("GenerateRequest"), "{refused:?}");
    }
    assert_eq!(service.calls_of("generate").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_server_refuses_is_told_with_the_option_and_its_form() {
    let server = demonstration().await;
    let refused = run(at(&server, &["generate", "t", "--language", "plain words"])).await.with(1);
    assert!(refused.error.contains("--language must be a tag such as en or pt-BR"), "{refused:?}");
    server.stop().await;
}

#[tokio::test]
async fn options_of_waiting_are_refused_without_it() {
    for option in [["--timeout", "5m"], ["--output", "article.md"], ["--format", "html"]] {
        let refused = run(contentgen(&["generate", "t", option[0], option[1]])).await.with(2);
        assert!(refused.error.contains("--wait"), "{refused:?}");
    }
}
