//! What those learn who listen with `tracing`: how a call went, and nothing of what was said.

use std::io::Write;
use std::sync::{Arc, Mutex, Once};

use contentgen_sdk::test_util::MockService;
use serde_json::json;
use tracing::Level;
use tracing::instrument::WithSubscriber as _;
use tracing_subscriber::fmt::format::FmtSpan;
use wiremock::matchers::path;
use wiremock::{Mock, ResponseTemplate};

/// Collects what is written.
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

/// What is told of a call that queues an article.
async fn told(service: &MockService, level: Level) -> String {
    let client = service.client();
    told_of(client.generate().topic("a private topic").website_id("web_1").send(), level).await
}

/// What is told of any call.
async fn told_of(call: impl Future, level: Level) -> String {
    // Somebody listens all the time: what nobody listens to at its first use may count as unheard for others who come
    // and go at that moment, and tests do.
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
    service.queues("job_1");
    service.fails("generate", 2, 503, "unavailable");
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
    assert_eq!(text.matches("the call is repeated").count(), 2, "{text}");
    assert_eq!((text.matches("failed attempt=").count(), text.matches("answered attempt=3").count()), (2, 1), "{text}");
}

#[tokio::test]
async fn a_success_that_cannot_be_used_is_told_as_a_failure() {
    let answers = [
        (ResponseTemplate::new(204), "UnexpectedAnswer"),
        (ResponseTemplate::new(200).set_body_json(json!({ "items": "private" })), "UnexpectedAnswer"),
        (ResponseTemplate::new(200).set_body_string(r#"{ "items": "private"#), "Transport"),
    ];
    for (answer, kind) in answers {
        let service = MockService::start().await;
        Mock::given(path("/api/v1/leads")).respond_with(answer).mount(service.server()).await;
        let client = service.client();
        let text = told_of(client.list_leads().send(), Level::INFO).await;
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("contentgen_sdk")).collect();
        let [warning, closed] = lines[..] else { panic!("two lines are told: {text}") };
        assert!(warning.contains("WARN") && warning.contains("the answer cannot be read"), "{warning}");
        assert!(warning.contains("operation=\"list_leads\"") && warning.contains("attempts=1"), "{warning}");
        assert!(closed.contains(&format!("error={kind}")) && closed.contains("status=20"), "{closed}");
        assert!(!text.contains("private"), "{text}");
        let text = told_of(client.list_leads().send(), Level::WARN).await;
        assert!(text.contains("the answer cannot be read"), "without the span: {text}");
    }
}

#[tokio::test]
async fn neither_the_key_nor_what_is_said_is_told() {
    let service = MockService::start().await;
    service.fails("generate", 9, 500, "a private code");
    let text = told(&service, Level::TRACE).await;
    assert!(text.contains("error=Api") && text.contains("status=500"), "{text}");
    let own: Vec<&str> = text.lines().filter(|line| line.contains("contentgen_sdk")).collect();
    assert!(!own.is_empty());
    for line in own {
        assert!(!line.contains("private") && !line.contains("key_for_tests"), "{line}");
    }
}
