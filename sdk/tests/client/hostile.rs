//! Malicious servers on real sockets. Each call ends in an error of a defined kind, within its time limit, after a bounded number of
//! bytes.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use contentgen_sdk::{Client, Error, ErrorKind};

use super::frozen_time::FrozenTime;
use super::until::GIVE_UP_AFTER;
use super::{client, quick};

/// Time limit of an attempt that would never end.
const SOON: Duration = Duration::from_millis(100);
/// Maximum number of bytes that a call reads here.
const MOST_BYTES: usize = 256 * 1024;
/// Additional bytes that the socket buffers of both sides may hold.
const BUFFERS: u64 = 32 * 1024 * 1024;
/// How long the server waits for the client to leave before it sends the next drop of a slow response.
const DROP: Duration = Duration::from_millis(5);

/// Behaviour of a server after it has read the request. Writing returns an error once the client is gone.
type Behaviour = fn(&mut Written) -> io::Result<()>;

/// A connection that counts what is written to it.
struct Written {
    connection: TcpStream,
    bytes: Arc<AtomicU64>,
}

impl Written {
    fn say(&mut self, text: &[u8]) -> io::Result<()> {
        self.connection.write_all(text)?;
        self.bytes.fetch_add(text.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Writes a text repeatedly until the client disconnects.
    fn repeat(&mut self, text: &[u8]) -> io::Result<()> {
        loop {
            self.say(text)?;
        }
    }

    /// Writes a text repeatedly and slowly until the client disconnects.
    fn drip(&mut self, text: &[u8]) -> io::Result<()> {
        self.connection.set_read_timeout(Some(DROP))?;
        loop {
            self.say(text)?;
            match self.connection.read(&mut [0]) {
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
                _left => return Ok(()),
            }
        }
    }
}

/// Starts a server with the same behaviour for every connection. Returns its base URL and the number of bytes written.
fn serve(behaviour: Behaviour) -> (String, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
    let url = format!("http://{}", listener.local_addr().expect("a bound listener has an address"));
    let bytes = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&bytes);
    thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            let mut written = Written { connection, bytes: Arc::clone(&counted) };
            thread::spawn(move || {
                let mut head = Vec::new();
                let mut byte = [0];
                while !head.ends_with(b"\r\n\r\n") && matches!(written.connection.read(&mut byte), Ok(1)) {
                    head.extend_from_slice(&byte);
                }
                let _gone = behaviour(&mut written);
            });
        }
    });
    (url, bytes)
}

/// Makes a client that retries once and has a short time limit for attempts.
fn hasty(url: &str, attempt: Duration) -> Client {
    let options = quick().max_retries(1).max_body_bytes(MOST_BYTES);
    client(url).with_options(options.attempt_timeout(attempt).total_timeout(GIVE_UP_AFTER))
}

/// Returns the error of a call whose attempts end by themselves.
async fn error_of(behaviour: Behaviour) -> (Error, u64) {
    error_within(behaviour, GIVE_UP_AFTER).await
}

/// Returns the error of a call whose attempts time out.
async fn error_within(behaviour: Behaviour, attempt: Duration) -> (Error, u64) {
    let (url, bytes) = serve(behaviour);
    let client = hasty(&url, attempt);
    let error = client.get_article("art_1").send().await.expect_err("the response is no article");
    (error, bytes.load(Ordering::Relaxed))
}

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const CHUNKED: &[u8] = b"Transfer-Encoding: chunked\r\n\r\n";

fn silence(server: &mut Written) -> io::Result<()> {
    server.connection.read_to_end(&mut Vec::new()).map(|_| ())
}

fn head_in_drops(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.drip(b"X-A: b\r\n")
}

fn body_in_drops(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.say(CHUNKED)?;
    server.drip(b"1\r\n \r\n")
}

fn interim_answers_for_ever(server: &mut Written) -> io::Result<()> {
    server.drip(b"HTTP/1.1 100 Continue\r\n\r\n")
}

fn body_for_ever(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.say(CHUNKED)?;
    let mut chunk = b"4000\r\n".to_vec();
    chunk.extend([b' '; 0x4000]);
    chunk.extend(b"\r\n");
    server.repeat(&chunk)
}

fn body_until_the_end_of_the_connection(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.say(b"\r\n")?;
    server.repeat(&[b'['; 0x4000])
}

fn body_of_a_boasted_length(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.say(b"Content-Length: 9000000000000000000\r\n\r\n{}")?;
    silence(server)
}

fn head_for_ever(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.repeat(b"X-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n")
}

fn header_for_ever(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.say(b"X-A: ")?;
    server.repeat(&[b'b'; 0x4000])
}

fn trailers_for_ever(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.say(CHUNKED)?;
    server.say(b"0\r\n")?;
    server.repeat(b"X-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n")
}

fn garbage(server: &mut Written) -> io::Result<()> {
    server.repeat(b"\x16\x03\x01\x00\xff")
}

fn half_an_answer(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.say(b"Content-Length: 1000\r\n\r\n{\"title\": ")
}

fn page(server: &mut Written) -> io::Result<()> {
    server.say(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<h1>Hello</h1>\n")
}

fn deep_json(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.say(b"Content-Length: 100000\r\n\r\n")?;
    server.say(&vec![b'['; 100_000])
}

/// Start of a gzip stream of a megabyte of zeros, which is far longer when decompressed.
fn packed(server: &mut Written) -> io::Result<()> {
    server.say(OK)?;
    server.say(b"Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03")?;
    server.say(b"\xed\xc1\x01\x01\x00\x00\x00\x80\x90\xfe")
}

#[tokio::test]
async fn whatever_a_server_does_ends_in_an_error_in_time_and_after_a_bounded_number_of_bytes() {
    let cases: [(&str, Behaviour, &[ErrorKind]); 15] = [
        ("silence", silence, &[ErrorKind::Timeout]),
        ("head in drops", head_in_drops, &[ErrorKind::Timeout]),
        ("body in drops", body_in_drops, &[ErrorKind::Timeout]),
        ("interim answers for ever", interim_answers_for_ever, &[ErrorKind::Timeout]),
        ("body for ever", body_for_ever, &[ErrorKind::TooLarge]),
        ("body until the end", body_until_the_end_of_the_connection, &[ErrorKind::TooLarge]),
        ("boasted length", body_of_a_boasted_length, &[ErrorKind::TooLarge]),
        ("head for ever", head_for_ever, &[ErrorKind::Transport]),
        ("header for ever", header_for_ever, &[ErrorKind::Transport]),
        ("trailers for ever", trailers_for_ever, &[ErrorKind::Transport]),
        ("garbage", garbage, &[ErrorKind::Transport]),
        ("half a response", half_an_answer, &[ErrorKind::Transport]),
        ("a page", page, &[ErrorKind::UnexpectedResponse]),
        ("deep JSON", deep_json, &[ErrorKind::UnexpectedResponse]),
        ("packed", packed, &[ErrorKind::UnexpectedResponse]),
    ];
    for (name, behaviour, kinds) in cases {
        let attempt = if kinds == [ErrorKind::Timeout] { SOON } else { GIVE_UP_AFTER };
        let (error, bytes) = error_within(behaviour, attempt).await;
        assert!(kinds.contains(&error.kind()), "{name}: {error:?}");
        assert!(bytes <= MOST_BYTES as u64 + BUFFERS, "{name}: {bytes} bytes were taken");
        assert_eq!(error.operation(), Some("get_article"), "{name}");
    }
}

#[tokio::test]
async fn an_error_answer_without_end_still_tells_its_status() {
    fn behaviour(server: &mut Written) -> io::Result<()> {
        server.say(b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/html\r\n\r\n")?;
        server.repeat(&[b'x'; 0x4000])
    }
    let (error, bytes) = error_of(behaviour).await;
    assert_eq!((error.kind(), error.status().map(|status| status.as_u16())), (ErrorKind::Api, Some(503)));
    assert!(bytes <= 2 * MOST_BYTES as u64 + BUFFERS, "{bytes} bytes were taken");
    assert_eq!(error.attempts(), 2);
}

#[tokio::test]
async fn an_error_answer_whose_body_never_comes_still_tells_its_status() {
    fn behaviour(server: &mut Written) -> io::Result<()> {
        server.say(b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600\r\nContent-Length: 9\r\n\r\n")?;
        server.connection.read(&mut [0]).map(drop)
    }
    let (url, _bytes) = serve(behaviour);
    let client = hasty(&url, Duration::MAX);
    let client = client.with_options(quick().total_timeout(Duration::MAX));
    let time = FrozenTime::begin();
    let call = client.get_article("art_1").send();
    let error = time.pass_until_ended(Duration::from_secs(1), call).await.unwrap_err();
    assert_eq!((error.kind(), error.status().map(|status| status.as_u16())), (ErrorKind::Api, Some(429)));
    assert_eq!((error.retry_after(), error.attempts()), (Some(Duration::from_secs(60 * 60)), 1), "{error:?}");
}

#[tokio::test]
async fn a_connection_that_is_reset_is_tried_again_and_then_told() {
    // Closing a socket with unread data resets the connection.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut connection in listener.incoming().map_while(Result::ok) {
            let _first_byte = connection.read(&mut [0]);
        }
    });
    let error = hasty(&url, GIVE_UP_AFTER).get_article("art_1").send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 2), "{error:?}");
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_takes_the_key_nowhere() {
    fn behaviour(server: &mut Written) -> io::Result<()> {
        let target = server.connection.peer_addr()?;
        let head =
            format!("HTTP/1.1 307 Temporary Redirect\r\nLocation: http://{target}/\r\nContent-Length: 0\r\n\r\n");
        server.say(head.as_bytes())
    }
    let (error, _bytes) = error_of(behaviour).await;
    assert_eq!((error.status().map(|status| status.as_u16()), error.attempts()), (Some(307), 1), "{error:?}");
}

#[tokio::test]
async fn a_retry_after_of_centuries_is_told_and_not_waited_for() {
    fn behaviour(server: &mut Written) -> io::Result<()> {
        server.say(b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n")
    }
    let (error, _bytes) = error_of(behaviour).await;
    assert_eq!((error.attempts(), error.is_retryable()), (1, true), "{error:?}");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7 * 24 * 60 * 60)));
}
