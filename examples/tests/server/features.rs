//! Tests optional features of the SDK against the reference server: the blocking client, and spans for `tracing`.

use std::io::Write;
use std::sync::{Arc, Mutex, Once};

use contentgen_sdk::blocking;
use tracing::instrument::WithSubscriber as _;
use tracing_subscriber::fmt::format::FmtSpan;

use super::{demonstration, full_client, request};

#[test]
fn a_thread_without_a_runtime_calls_waits_and_walks_over_a_list() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(demonstration());
    let client = blocking::Client::new(full_client(&server)).unwrap();
    let mut queued = Vec::new();
    for topic in ["Sea kale", "Skirret", "Oca", "Yacon", "Ulluco"] {
        queued.push(client.generate().body(request(&server, topic)).send().unwrap().into_inner().job_id);
    }
    let article = client.wait_for_article(&queued[0]).wait().unwrap();
    assert_eq!(article.job_id.as_ref(), Some(&queued[0]));
    assert!(article.content_markdown.as_ref().is_some_and(|text| text.len() > 1000));

    // Pages of two, so that the iterator has to fetch several.
    let walked = client.list_scheduled_posts().limit(2).items();
    let mut walked: Vec<_> = walked.map(|post| post.unwrap().job_id.unwrap()).collect();
    walked.reverse();
    assert_eq!(walked, queued);
    let error = client.get_job("job_nothing").send().unwrap_err();
    assert_eq!(error.code(), Some("job_not_found"));
    assert!(runtime.block_on(server.stop()));
}

/// Collects the written bytes.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns the outcome of a call and its line in the log of spans.
async fn told<T>(call: impl Future<Output = T>) -> (T, String) {
    // A global subscriber: without one, `tracing` may cache for all threads that a callsite has no subscriber.
    static LISTENER: Once = Once::new();
    LISTENER
        .call_once(|| tracing::subscriber::set_global_default(tracing_subscriber::registry()).expect("the only one"));
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(move || writer.clone())
        .finish();
    let outcome = call.with_subscriber(subscriber).await;
    let text = String::from_utf8(log.0.lock().expect("no panic").clone()).expect("the log is text");
    let spans: Vec<_> = text.lines().filter(|line| line.contains("contentgen.call{")).collect();
    assert_eq!(spans.len(), 1, "a call has one span: {text}");
    (outcome, spans[0].to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_span_has_the_operation_the_status_and_the_request_id() {
    let server = demonstration().await;
    let client = full_client(&server);
    let (queued, span) = told(client.generate().body(request(&server, "a private topic")).send()).await;
    let queued = queued.unwrap();
    let id = queued.request_id().unwrap();
    assert!(id.starts_with("req_"), "the server made it: {id}");
    for word in ["operation=\"generate\"", "attempts=1", "status=202", &format!("request_id=\"{id}\"")] {
        assert!(span.contains(word), "{word} in {span}");
    }
    assert!(!span.contains("private") && !span.contains(&server.accounts()[0].api_key), "{span}");

    let (refused, span) = told(client.get_article("art_nothing").send()).await;
    let refused = refused.unwrap_err();
    let id = refused.request_id().unwrap();
    assert_ne!(queued.request_id(), Some(id));
    for word in ["operation=\"get_article\"", "status=404", "error=Api", &format!("request_id=\"{id}\"")] {
        assert!(span.contains(word), "{word} in {span}");
    }
    server.stop().await;
}
