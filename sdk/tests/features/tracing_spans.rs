//! Output for `tracing`: how a call went, but no content of requests and responses.

use std::io::Write;
use std::sync::{Arc, Mutex, Once};
use std::time::{Duration, SystemTime};

use contentgen_sdk::test_util::{MockResponse, MockService};
use contentgen_sdk::webhook::MemoryReplayGuard;
use serde_json::json;
use tracing::Level;
use tracing::instrument::WithSubscriber as _;
use tracing_subscriber::fmt::format::FmtSpan;

/// Collects the written log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic").clone()).expect("the log is text")
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns the log of a call that queues an article.
async fn told(service: &MockService, level: Level) -> String {
    let client = service.client();
    told_of(client.generate().topic("a private topic").website_id("web_1").send(), level).await
}

/// Returns the log of any call.
async fn told_of(call: impl Future, level: Level) -> String {
    // Keep a global subscriber: tracing caches at the first use whether any subscriber listens. Parallel tests, whose subscribers
    // come and go, could otherwise find the callsite disabled.
    static LISTENER: Once = Once::new();
    LISTENER
        .call_once(|| tracing::subscriber::set_global_default(tracing_subscriber::registry()).expect("the only one"));
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(move || writer.clone())
        .finish();
    let _outcome = call.with_subscriber(subscriber).await;
    log.text()
}

#[tokio::test]
async fn a_call_tells_its_operation_its_attempts_its_status_and_its_request() {
    let service = MockService::start().await;
    service.set_queued_job("job_1");
    service.fail_first("generate", 2, 429, "rate_limited");
    let text = told(&service, Level::DEBUG).await;
    let words = [
        "contentgen.call{operation=\"generate\"",
        "attempts=3",
        "status=202",
        "request_id=\"req_mock\"",
        "duration_ms=",
    ];
    for word in words {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert_eq!(text.matches("the call is retried").count(), 2, "{text}");
    assert_eq!((text.matches("failed attempt=").count(), text.matches("answered attempt=3").count()), (2, 1), "{text}");
}

#[tokio::test]
async fn a_success_that_cannot_be_used_is_told_as_a_failure() {
    let answers = [
        MockResponse::new(204),
        MockResponse::new(200).json(&json!({ "items": "private" })),
        MockResponse::new(200).body(r#"{ "items": "private"#, "application/json"),
    ];
    for answer in answers {
        let service = MockService::start().await;
        service.respond("list_leads", None, answer);
        let client = service.client();
        let text = told_of(client.list_leads().send(), Level::INFO).await;
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("contentgen_sdk")).collect();
        let [warning, closed] = lines[..] else { panic!("expected two lines: {text}") };
        assert!(warning.contains("WARN") && warning.contains("the response cannot be read"), "{warning}");
        assert!(warning.contains("operation=\"list_leads\"") && warning.contains("attempts=1"), "{warning}");
        assert!(closed.contains("error=UnexpectedResponse") && closed.contains("status=20"), "{closed}");
        assert!(!text.contains("private"), "{text}");
        let text = told_of(client.list_leads().send(), Level::WARN).await;
        assert!(text.contains("the response cannot be read"), "without the span: {text}");
    }
}

#[tokio::test]
async fn neither_the_key_nor_what_is_said_is_told() {
    let service = MockService::start().await;
    service.fail_first("generate", 9, 500, "a private code");
    let text = told(&service, Level::TRACE).await;
    assert!(text.contains("error=Api") && text.contains("status=500"), "{text}");
    let own: Vec<&str> = text.lines().filter(|line| line.contains("contentgen_sdk")).collect();
    assert!(!own.is_empty());
    for line in own {
        assert!(!line.contains("private") && !line.contains("key_for_tests"), "{line}");
    }
}

#[tokio::test]
async fn a_server_that_repeats_the_key_as_a_request_id_does_not_bring_it_into_the_log() {
    let service = MockService::start().await;
    for response in
        [MockResponse::new(200).json(&json!({ "items": [] })), MockResponse::new(200), MockResponse::new(299)]
    {
        service.respond("list_leads", None, response.header("X-Request-Id", "key_for_tests"));
        let text = told_of(service.client().list_leads().send(), Level::DEBUG).await;
        let own: Vec<&str> = text.lines().filter(|line| line.contains("contentgen_sdk")).collect();
        assert!(own.iter().any(|line| line.contains("[redacted]")), "{text}");
        assert!(own.iter().all(|line| !line.contains("key_for_tests")), "{text}");
    }
}

#[tokio::test]
async fn a_copy_that_is_current_is_no_failure() {
    let service = MockService::start().await;
    let current = MockResponse::new(304).header("X-Request-Id", "req_7");
    service.respond("get_article", Some("art_1"), current);
    let client = service.client();
    let text = told_of(client.get_article("art_1").if_none_match("\"1\"").send(), Level::DEBUG).await;
    assert!(text.contains("not modified attempt=1 status=304"), "{text}");
    assert!(!text.contains("failed") && !text.contains("error="), "{text}");
}

#[tokio::test]
async fn a_member_that_cannot_be_read_is_told_without_its_value() {
    let service = MockService::start().await;
    let odd = MockResponse::new(200).json(&json!({ "id": "art_1", "word_count": "private" }));
    service.respond("get_article", Some("art_1"), odd);
    let client = service.client();
    let text = told_of(client.get_article("art_1").send(), Level::WARN).await;
    assert_eq!(text.matches("a field of the response is left out").count(), 1, "{text}");
    assert!(!text.contains("private"), "{text}");
    let text = told_of(client.get_article("art_1").send(), Level::INFO).await;
    assert!(text.contains("contentgen.call{operation=\"get_article\""), "{text}");
}

/// Calls that a server rejects at the same moment do not all return at once.
#[tokio::test]
async fn pauses_that_a_server_asks_for_differ() {
    let service = MockService::start().await;
    let busy = MockResponse::new(429).header("Retry-After", "1");
    service.respond_first("list_leads", 8, busy);
    service.set_leads(&[]);
    let pause = Duration::from_millis(500);
    let options = contentgen_sdk::RequestOptions::default().backoff(pause, pause);
    let client = service.client().with_options(options);
    let calls = async {
        let calls: Vec<_> = (0..8).map(|_| client.list_leads().send()).collect();
        let mut calls: Vec<_> = calls.into_iter().map(Box::pin).collect();
        let mut ended = [false; 8];
        std::future::poll_fn(|context| {
            for (call, ended) in calls.iter_mut().zip(&mut ended) {
                *ended = *ended || call.as_mut().poll(context).is_ready();
            }
            if ended.iter().all(|ended| *ended) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    };
    let text = told_of(calls, Level::WARN).await;
    let pauses: Vec<u64> = text
        .lines()
        .filter_map(|line| line.split_once("pause_ms=")?.1.split_whitespace().next()?.parse().ok())
        .collect();
    assert_eq!(pauses.len(), 8, "{text}");
    assert!(pauses.iter().all(|pause| (1000..=1500).contains(pause)), "{pauses:?}");
    assert!(pauses.iter().collect::<std::collections::BTreeSet<_>>().len() > 1, "{pauses:?}");
}

/// A retry of an event that was forgotten would be handled again.
#[tokio::test]
async fn a_replay_guard_that_is_full_says_so_once_for_each_time_that_it_was_replaced() {
    let guard = MemoryReplayGuard::with_limits(3, Duration::from_secs(100));
    let claim = async |number: u64| guard.claim_at(&format!("evt_{number}"), SystemTime::UNIX_EPOCH);
    let warnings = |text: &str| text.matches("WARN").count();
    let text = told_of(
        async {
            for number in 0..3 {
                claim(number).await;
            }
        },
        Level::WARN,
    )
    .await;
    assert_eq!(warnings(&text), 0, "{text}");
    let text = told_of(claim(3), Level::WARN).await;
    assert!(warnings(&text) == 1 && text.contains("the replay guard is full") && text.contains("most=3"), "{text}");
    assert!(!text.contains("evt_"), "{text}");
    let text = told_of(
        async {
            for number in 4..7 {
                claim(number).await;
            }
        },
        Level::WARN,
    )
    .await;
    assert_eq!(warnings(&text), 1, "{text}");
    // Events that are forgotten in time need no warning.
    let later = SystemTime::UNIX_EPOCH + Duration::from_secs(101);
    let text = told_of(async { guard.claim_at("evt_9", later) }, Level::WARN).await;
    assert_eq!(warnings(&text), 0, "{text}");
}
