//! The dialects of real servers, as `contentgen-faults model` speaks them.

use std::process::{Command, Output};
use std::time::Duration;

use contentgen_faults::model::{DIALECTS, DISCARDED_TITLE, Dialect, ModelEndpoint, ModelOptions};
use contentgen_server_stub::domain::language_model::ModelKey;
use contentgen_server_stub::generation::model::{ModelProxy, ModelSettings, Provider};
use contentgen_server_stub::generation::{ArticleBrief, FailureCode};

use super::stub::{KEY, brief, write, writer};
use crate::command_line::program::{PROGRAM, assert_fails, text};
use crate::frozen_time::FrozenTime;

/// Number of seeds for each dialect. They choose the form of the dialect, and whether the response is streamed.
const SEEDS: u64 = 10;
/// Time that passes while nothing else happens.
const STEP: Duration = Duration::from_millis(20);
/// Time limit between two parts of a response.
const TIMEOUT: Duration = Duration::from_millis(300);

async fn start(name: &str, seed: u64, pause: Duration) -> ModelEndpoint {
    ModelEndpoint::start(Dialect::find(name).unwrap(), ModelOptions { seed, pause }).await.unwrap()
}

fn settings(endpoint: &ModelEndpoint) -> ModelSettings {
    ModelSettings {
        key: ModelKey::parse(KEY),
        proxy: endpoint.proxy_url().map(|url| ModelProxy::parse(&url).unwrap()),
        first_pause: Duration::from_millis(2),
        timeout: Duration::from_secs(20),
        ..ModelSettings::new(Provider::OpenAi, endpoint.base_url().parse().unwrap(), "test-model")
    }
}

/// Returns the least and the greatest number of requests for an article.
fn requests(dialect: &Dialect) -> (usize, usize) {
    match dialect.name {
        "error-in-200" | "error-in-stream" | "no-system-role" | "small-context" | "no-streaming"
        | "no-stream-options" => (2, 2),
        "no-schema" => (2, 3),
        _ => (1, 1),
    }
}

#[tokio::test]
async fn every_dialect_of_real_servers_is_understood() {
    let mut wrong = Vec::new();
    for (dialect, seed) in DIALECTS.iter().flat_map(|dialect| (0..SEEDS).map(move |seed| (dialect, seed))) {
        if dialect.name == "silent" {
            continue;
        }
        let endpoint = start(dialect.name, seed, Duration::ZERO).await;
        let (written, usage) = write(&writer(settings(&endpoint)), &brief()).await;
        let sent = endpoint.requests().len();
        let (least, most) = requests(dialect);
        let is_right = match &written {
            Ok(article) => {
                // Only the last request was answered.
                let has_counted = usize::try_from(usage.failed_requests).unwrap() == sent - 1;
                // A stream that had begun is paid for, but its tokens are not reported.
                let is_estimate_right = dialect.name != "error-in-stream" || usage.is_estimated;
                let is_whole = article.voice.passed && article.title != DISCARDED_TITLE;
                dialect.gives_article && is_whole && has_counted && is_estimate_right
            }
            Err(error) => {
                let is_told = error.needs_repair && error.message.contains("too long for the language model");
                !dialect.gives_article && error.code == FailureCode::GeneratorUnavailable && is_told
            }
        };
        if !is_right || !(least..=most).contains(&sent) || usize::try_from(usage.requests).unwrap() != sent {
            let outcome = written.map(|article| article.title);
            wrong.push(format!("{} with seed {seed}: {sent} requests, {usage:?}, {outcome:?}", dialect.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn what_an_endpoint_refused_is_not_sent_again_and_nothing_else_is_given_up() {
    for (name, has_usage, streams, roles) in [
        ("no-stream-options", false, true, "system"),
        ("no-streaming", false, false, "system"),
        ("no-system-role", true, true, "user"),
    ] {
        let endpoint = start(name, 0, Duration::ZERO).await;
        let writer = writer(settings(&endpoint));
        for _ in 0..2 {
            write(&writer, &brief()).await.0.unwrap();
        }
        let sent = endpoint.requests();
        assert_eq!(sent.len(), 3, "{name}: the form is remembered");
        let last = &sent[2];
        assert_eq!(last["response_format"]["type"], "json_schema", "{name}");
        assert_eq!((last.get("stream_options").is_some(), last["stream"] == true), (has_usage, streams), "{name}");
        assert_eq!(last["messages"][0]["role"], roles, "{name}");
        assert!(last["messages"].to_string().contains("most careful editor"), "{name}: the system prompt is sent");
    }
    let endpoint = start("small-context", 0, Duration::ZERO).await;
    let writer = writer(settings(&endpoint));
    for _ in 0..2 {
        write(&writer, &brief()).await.0.unwrap();
    }
    let tokens: Vec<_> = endpoint.requests().iter().map(|sent| sent["max_tokens"].as_u64().unwrap()).collect();
    assert_eq!(
        (tokens.len(), tokens[0], tokens[2]),
        (4, 16_384, 16_384),
        "a shorter prompt may leave more: {tokens:?}"
    );
}

#[tokio::test]
async fn an_article_in_japanese_has_its_words_counted_and_its_questions_asked() {
    let brief =
        ArticleBrief {
            language: "ja".to_owned(), topic: "冬にライ麦のスターターを育てる".to_owned(), ..brief()
        };
    for seed in 0..SEEDS {
        let endpoint = start("japanese", seed, Duration::ZERO).await;
        let (written, usage) = write(&writer(settings(&endpoint)), &brief).await;
        let article = written.unwrap();
        assert!((255..=345).contains(&article.word_count), "seed {seed}: {} words", article.word_count);
        let questions: Vec<&str> = article.faq.iter().map(|entry| entry.question.as_str()).collect();
        assert!(questions.len() == 3 && questions.iter().all(|question| question.ends_with('？')), "{questions:?}");
        assert!(
            questions.iter().all(|question| !question.contains("。？") && !question.contains("？？")),
            "{questions:?}"
        );
        assert_eq!(usage.requests, 1, "seed {seed}");
        let prompt = endpoint.requests()[0]["messages"].to_string();
        assert!(prompt.contains("300 characters") && !prompt.contains("300 words"), "{prompt}");
    }
}

#[tokio::test]
async fn a_stream_may_take_longer_than_the_time_limit_and_silence_may_not() {
    let endpoint = start("slow-stream", 0, TIMEOUT * 2 / 3).await;
    let (slow, brief) = (writer(ModelSettings { timeout: TIMEOUT, ..settings(&endpoint) }), brief());
    let time = FrozenTime::begin();
    let ((written, usage), passed) = time.pass_until_end(STEP, "it is written", write(&slow, &brief)).await;
    written.unwrap();
    assert!(passed > TIMEOUT * 10 && usage.requests == 1, "{passed:?} {usage:?}");

    let endpoint = start("silent", 0, Duration::ZERO).await;
    let silent = writer(ModelSettings { timeout: TIMEOUT, ..settings(&endpoint) });
    let ((written, usage), _) = time.pass_until_end(STEP, "it is given up", write(&silent, &brief)).await;
    let error = written.unwrap_err();
    assert_eq!((error.code, error.needs_repair), (FailureCode::GenerationTimeout, true), "it is not paid for again");
    assert_eq!((usage.requests, usage.is_estimated, endpoint.requests().len()), (1, true, 1));
}

/// Runs the program against the endpoint.
async fn run(endpoint: &ModelEndpoint, arguments: &[&str]) -> Output {
    let url = endpoint.base_url();
    let writer = ["--writer", "openai", "--model", "test-model", "--model-url", &url];
    let proxy = endpoint.proxy_url().map_or_else(Vec::new, |url| vec!["--model-proxy".to_owned(), url]);
    let mut command = Command::new(PROGRAM);
    command.args(arguments).args(writer).args(proxy).env("CONTENTGEN_MODEL_KEY", KEY);
    // Proxies of the environment are not used.
    command.env("http_proxy", "http://127.0.0.1:9").env("ALL_PROXY", "http://127.0.0.1:9");
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_writes_with_azure_and_through_a_proxy() {
    for name in ["control", "azure", "proxy"] {
        let endpoint = start(name, 0, Duration::ZERO).await;
        let output = run(&endpoint, &["write", "--topic", "Keeping a rye starter alive", "--words", "300"]).await;
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        assert!(text(&output.stdout).starts_with("# Keeping a rye starter alive"), "{name}: {}", text(&output.stdout));
        let output = run(&endpoint, &["writer", "check"]).await;
        assert!(output.status.success(), "{name}: {}", text(&output.stdout));
    }
    let endpoint = start("small-context", 4, Duration::ZERO).await;
    let checked = run(&endpoint, &["writer", "check"]).await;
    let note = "tokens    note  the endpoint accepts at most 7000; set --model-max-tokens 7000";
    assert!(text(&checked.stdout).contains(note), "{}", text(&checked.stdout));
    let output = run(&endpoint, &["writer", "check", "--model-proxy", "socks5://planted@127.0.0.1"]).await;
    assert_fails(&output, 2, "--model-proxy is not valid: write it like http://");
    assert!(!text(&output.stderr).contains("planted"), "{}", text(&output.stderr));
}
