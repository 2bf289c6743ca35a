//! Receivers with responses that no receiver should give, byte by byte on real sockets: what the sender keeps, and when it
//! stops reading.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::delivery::AttemptKind;
use contentgen_server_stub::domain::hook::{Attempt, HookSecret, MAX_KEPT_HEADER_BYTES, MAX_KEPT_HEADERS};
use contentgen_server_stub::domain::store::ClaimedDelivery;
use contentgen_server_stub::hooks::{AddressPolicy, DestinationChecker, Sender, Tuning};
use contentgen_server_stub::randomness::SystemRandomness;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// How long an attempt may take where the answer ends before.
const PATIENCE: Duration = Duration::from_secs(10);
/// The same where the answer never ends: shorter than an operator may set it, so that waiting for it is no waiting, and longer than a
/// busy machine stands still.
const BRIEF_PATIENCE: Duration = Duration::from_secs(4);
/// How late the end of an attempt may be on a busy machine.
const SLACK: Duration = Duration::from_secs(20);

/// Takes one request and leaves the rest to `answer`.
async fn receiver<F: Future<Output = ()>>(
    answer: impl FnOnce(TcpStream) -> F,
) -> (SocketAddr, impl Future<Output = ()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"{}") {
            assert_ne!(stream.read_buf(&mut request).await.unwrap(), 0);
        }
        answer(stream).await;
    };
    (address, serving)
}

async fn send(url: String, attempt: Duration) -> Attempt {
    let delivery = ClaimedDelivery {
        id: "dlv_1".to_owned(),
        lease_token: String::new(),
        number: 1,
        kind: AttemptKind::Scheduled,
        event_id: "evt_1".to_owned(),
        endpoint_id: "hook_1".to_owned(),
        url,
        secrets: Ok(vec![HookSecret::generate(&SystemRandomness)]),
        body: Bytes::from_static(b"{}").into(),
    };
    let tuning = Tuning { attempt_timeout: attempt, ..Tuning::default() };
    let sender = Sender::with_tuning(DestinationChecker::new(AddressPolicy::allow_loopback()), tuning);
    sender.send(&delivery, Timestamp::from_millis(0)).await.attempt
}

/// What is kept of the answer; fails the test when that takes much longer than the sender's patience.
async fn answered<F: Future<Output = ()>>(answer: impl FnOnce(TcpStream) -> F) -> Attempt {
    answered_within(PATIENCE, answer).await
}

async fn answered_within<F: Future<Output = ()>>(patience: Duration, answer: impl FnOnce(TcpStream) -> F) -> Attempt {
    let (address, serving) = receiver(answer).await;
    let began = Instant::now();
    let sending = send(format!("http://{address}/in"), patience);
    tokio::pin!(sending);
    let attempt = tokio::select! {
        attempt = &mut sending => attempt,
        () = serving => sending.await,
    };
    assert!(began.elapsed() < patience + SLACK, "{:?}", began.elapsed());
    attempt
}

async fn drip(mut stream: TcpStream, head: &str, drop: &str) {
    stream.write_all(head.as_bytes()).await.unwrap();
    while stream.write_all(drop.as_bytes()).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_body_that_drips_forever_is_cut_off_and_its_status_counts() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n";
    let attempt = answered_within(BRIEF_PATIENCE, |stream| drip(stream, head, "d")).await;
    assert_eq!((attempt.response_status, attempt.timed_out), (Some(200), false));
    let head = attempt.response_head.unwrap().into_inner();
    assert!(head.len() >= 2 && head.bytes().all(|byte| byte == b'd'), "{head}");
    assert!(attempt.duration_ms >= 3_900, "{}", attempt.duration_ms);
}

#[tokio::test]
async fn headers_that_drip_forever_are_a_time_out() {
    let head = "HTTP/1.1 200 OK\r\nx-slow: ";
    let attempt = answered_within(BRIEF_PATIENCE, |stream| drip(stream, head, "d")).await;
    assert_eq!((attempt.response_status, attempt.timed_out), (None, true));
    assert_eq!(attempt.error.as_deref(), Some("no response within the time limit"));
}

#[tokio::test]
async fn of_an_endless_body_the_first_bytes_are_kept_and_little_more_is_read() {
    let attempt = answered(async |mut stream| {
        drop(stream.write_all(b"HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n").await);
        let chunk = format!("4000\r\n{}\r\n", "\u{e9}".repeat(0x2000));
        let mut sent = 0_usize;
        while stream.write_all(chunk.as_bytes()).await.is_ok() {
            sent += chunk.len();
            // Far more than buffers on the way hold.
            assert!(sent < 64 * 1024 * 1024, "all of it was read");
        }
    })
    .await;
    assert_eq!(attempt.response_status, Some(500));
    assert_eq!(*attempt.response_head.unwrap(), "\u{e9}".repeat(2048));
    // It ended because that was enough, not because the time was up.
    assert!(u128::from(attempt.duration_ms) < PATIENCE.as_millis(), "{}", attempt.duration_ms);
}

#[tokio::test]
async fn resets_and_garbage_are_failures_without_a_status() {
    let reset = answered(async |stream| stream.set_zero_linger().unwrap()).await;
    let closed = answered(async |_| {}).await;
    let garbage = answered(async |mut stream| drop(stream.write_all(b"\x00\xff no HTTP\r\n\r\n").await)).await;
    let old = answered(async |mut stream| drop(stream.write_all(b"HTTP/0.9 200 OK\r\n\r\n").await)).await;
    let half = answered(async |mut stream| drop(stream.write_all(b"HTTP/1.1 200").await)).await;
    for attempt in [reset, closed, garbage, old, half] {
        assert_eq!((attempt.response_status, attempt.timed_out), (None, false), "{attempt:?}");
        assert_eq!(attempt.error.as_deref(), Some("the connection broke off before a response"));
        assert!(attempt.response_headers.is_empty() && attempt.response_head.is_none());
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_changes_nothing_about_its_status() {
    let attempt = answered(async |mut stream| {
        stream.write_all(b"HTTP/1.1 202 Accepted\r\ncontent-length: 50\r\n\r\nbegun \xff").await.unwrap();
    })
    .await;
    assert_eq!(attempt.response_status, Some(202));
    assert_eq!(*attempt.response_head.unwrap(), "begun \u{fffd}");
}

#[tokio::test]
async fn few_headers_are_kept_none_is_long_and_no_secret_is_among_them() {
    let attempt = answered(async |mut stream| {
        let many: Vec<_> = (0..40).map(|number| format!("x-{number}: {}\r\n", "\u{e9}".repeat(400))).collect();
        let many = many.concat();
        let head = format!(
            "HTTP/1.1 429 Slow\r\nset-cookie: session=planted\r\nauthorization: planted\r\nx-{}: v\r\n{many}\
             Webhook-Delivery: abort-message\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n",
            "n".repeat(300)
        );
        stream.write_all(head.as_bytes()).await.unwrap();
    })
    .await;
    let kept = &attempt.response_headers;
    assert_eq!(kept.len(), MAX_KEPT_HEADERS);
    for (name, value) in kept.iter() {
        assert!(name.len() + value.len() <= MAX_KEPT_HEADER_BYTES, "{name}: {value}");
        assert!(!value.contains("planted"), "{name}: {value}");
        assert_eq!(*name, name.to_ascii_lowercase());
    }
    assert!(kept.iter().any(|(name, value)| name == "set-cookie" && value == "(not kept)"), "{kept:?}");
    // What something follows from is kept, however late it came.
    assert!(attempt.asks_to_abort());
    assert_eq!(attempt.retry_after, Some(Duration::from_secs(7)));
}

#[tokio::test]
async fn a_redirect_inside_is_noted_and_not_followed() {
    let attempt = answered(async |mut stream| {
        let head =
            "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/latest/meta-data\r\ncontent-length: 0\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
    })
    .await;
    assert_eq!((attempt.response_status, attempt.error), (Some(302), None));
    let location = ("location".to_owned(), "http://169.254.169.254/latest/meta-data".to_owned());
    assert!(attempt.response_headers.contains(&location), "{:?}", *attempt.response_headers);
}

#[tokio::test]
async fn a_receiver_that_never_ends_its_handshake_has_five_seconds() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/in", listener.local_addr().unwrap());
    let mut all = Vec::new();
    // A busy machine may be late, but not each time.
    while all.len() < 3 && all.iter().all(|took| *took >= Duration::from_secs(9)) {
        let began = Instant::now();
        let attempt = send(url.clone(), 2 * SLACK).await;
        all.push(began.elapsed());
        assert!(attempt.timed_out && attempt.response_status.is_none(), "{attempt:?}");
    }
    let took = all.iter().min().unwrap();
    assert!((Duration::from_secs(4)..Duration::from_secs(9)).contains(took), "{all:?}");
}
