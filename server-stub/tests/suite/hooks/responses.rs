//! Receivers with invalid responses, byte by byte on real sockets: the part that the sender stores, and the point at which it stops
//! reading.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::delivery::AttemptKind;
use contentgen_server_stub::domain::hook::{Attempt, HookSecret, MAX_KEPT_HEADER_BYTES, MAX_KEPT_HEADERS};
use contentgen_server_stub::domain::store::ClaimedDelivery;
use contentgen_server_stub::hooks::{AddressPolicy, DestinationChecker, Sender, Tuning};
use contentgen_server_stub::randomness::SystemRandomness;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::frozen_time::FrozenTime;
use crate::waiting::ended;

/// Time limit of an attempt.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two bytes of a slow response.
const DRIP_INTERVAL: Duration = Duration::from_millis(100);

/// Accepts one request and passes the connection to `answer`.
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
    sender(attempt).send(&delivery(url), Timestamp::from_millis(0)).await.attempt
}

fn sender(attempt: Duration) -> Sender {
    let tuning = Tuning { attempt_timeout: attempt, ..Tuning::default() };
    Sender::with_tuning(DestinationChecker::new(AddressPolicy::allow_loopback()), tuning)
}

fn delivery(url: String) -> ClaimedDelivery {
    ClaimedDelivery {
        id: "dlv_1".to_owned(),
        lease_token: String::new(),
        number: 1,
        kind: AttemptKind::Scheduled,
        resume: None,
        event_id: "evt_1".to_owned(),
        endpoint_id: "hook_1".to_owned(),
        url,
        secrets: Ok(vec![HookSecret::generate(&SystemRandomness)]),
        body: Bytes::from_static(b"{}").into(),
    }
}

/// Returns the attempt at a receiver with this response. No time passes unless the receiver lets it pass.
async fn answered<F: Future<Output = ()>>(answer: impl FnOnce(TcpStream) -> F) -> Attempt {
    let _time = FrozenTime::begin();
    answered_in_time(answer).await
}

async fn answered_in_time<F: Future<Output = ()>>(answer: impl FnOnce(TcpStream) -> F) -> Attempt {
    let (address, serving) = receiver(answer).await;
    let sending = send(format!("http://{address}/in"), ATTEMPT_TIMEOUT);
    tokio::pin!(sending);
    let attempt = async {
        tokio::select! {
            attempt = &mut sending => attempt,
            () = serving => sending.await,
        }
    };
    ended("the attempt has ended", attempt).await
}

/// Returns the attempt at a receiver that sends this head and then one byte after the other for ever.
async fn dripped(head: &str) -> Attempt {
    let time = FrozenTime::begin();
    let attempt = answered_in_time(async |mut stream| {
        stream.write_all(head.as_bytes()).await.unwrap();
        while stream.write_all(b"d").await.is_ok() {
            time.pass(DRIP_INTERVAL).await;
        }
    });
    let attempt = attempt.await;
    let took = Duration::from_millis(attempt.duration_ms);
    assert!((ATTEMPT_TIMEOUT..ATTEMPT_TIMEOUT + 2 * DRIP_INTERVAL).contains(&took), "{took:?}");
    attempt
}

#[tokio::test]
async fn a_body_that_drips_forever_is_cut_off_and_its_status_counts() {
    let attempt = dripped("HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n").await;
    assert_eq!((attempt.response_status, attempt.timed_out), (Some(200), false));
    let head = attempt.response_head.unwrap().into_inner();
    assert!(head.len() >= 2 && head.bytes().all(|byte| byte == b'd'), "{head}");
}

#[tokio::test]
async fn headers_that_drip_forever_are_a_time_out() {
    let attempt = dripped("HTTP/1.1 200 OK\r\nx-slow: ").await;
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
            // Far more than the buffers on the way hold.
            assert!(sent < 64 * 1024 * 1024, "all of it was read");
        }
    })
    .await;
    assert_eq!(attempt.response_status, Some(500));
    assert_eq!(*attempt.response_head.unwrap(), "\u{e9}".repeat(2048));
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
        assert_eq!(attempt.error.as_deref(), Some("the connection closed before a response"));
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
    // Information with consequences is stored, even if it arrives late.
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
    let time = FrozenTime::begin();
    let sending = send(url, 4 * ATTEMPT_TIMEOUT);
    tokio::pin!(sending);
    let handshaking = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        assert_ne!(stream.read_buf(&mut Vec::new()).await.unwrap(), 0);
        stream
    };
    let _stream = tokio::select! {
        attempt = &mut sending => panic!("{attempt:?}"),
        stream = handshaking => stream,
    };
    let attempt = time.ends_after(Duration::from_secs(5), sending).await;
    assert!(attempt.timed_out && attempt.response_status.is_none(), "{attempt:?}");
}

/// Many receivers close a connection that was unused for five seconds. A request that is on its way at that moment fails.
#[tokio::test]
async fn a_connection_that_was_unused_for_four_seconds_is_not_used_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let delivery = delivery(format!("http://{}/in", listener.local_addr().unwrap()));
    let time = FrozenTime::begin();
    let sender = sender(ATTEMPT_TIMEOUT);
    let (opened, mut connections) = (Arc::new(AtomicUsize::new(0)), JoinSet::new());
    let count = Arc::clone(&opened);
    connections.spawn(async move {
        let mut open = JoinSet::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::Relaxed);
            open.spawn(async move {
                let mut request = Vec::new();
                while stream.read_buf(&mut request).await.is_ok_and(|bytes| bytes > 0) {
                    if request.ends_with(b"{}") {
                        request.clear();
                        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
                    }
                }
            });
        }
    });
    let steps = [(0, 1), (3_900, 1), (3_900, 1), (4_100, 2), (3_900, 2), (4_900, 3)];
    for (unused_ms, expected) in steps {
        time.pass(Duration::from_millis(unused_ms)).await;
        let attempt = sender.send(&delivery, Timestamp::from_millis(0)).await.attempt;
        assert_eq!(attempt.response_status, Some(204), "{attempt:?}");
        assert_eq!(opened.load(Ordering::Relaxed), expected, "connections after {unused_ms} ms");
    }
}
