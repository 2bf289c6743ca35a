//! Names that resolve to private addresses, at registration and at each delivery. The test controls the resolver.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::delivery::AttemptKind;
use contentgen_server_stub::domain::hook::HookSecret;
use contentgen_server_stub::domain::store::ClaimedDelivery;
use contentgen_server_stub::hooks::{AddressError, AddressPolicy, DestinationChecker, Lookup, NotSent, Sender, Sent};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::server::{Settings, start};
use ipnet::IpNet;

use super::receiver::{Answer, Receiver, status};
use crate::frozen_time::FrozenTime;

const PUBLIC: &str = "93.184.216.34";

/// Returns one response after the other. An empty response is an unknown name.
#[derive(Debug)]
struct Scripted(Mutex<VecDeque<Vec<IpAddr>>>);

#[async_trait]
impl Lookup for Scripted {
    async fn lookup(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        self.0.lock().unwrap().pop_front().ok_or_else(|| io::Error::other("no such name"))
    }
}

/// A resolver that never responds.
#[derive(Debug)]
struct Silent;

#[async_trait]
impl Lookup for Silent {
    async fn lookup(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        std::future::pending().await
    }
}

fn listing(nets: &[&str]) -> AddressPolicy {
    AddressPolicy::with_listed(nets.iter().map(|net| net.parse::<IpNet>().unwrap()))
}

fn resolving(policy: AddressPolicy, answers: &[&[&str]]) -> DestinationChecker {
    let parsed = |answer: &&[&str]| answer.iter().map(|address| address.parse().unwrap()).collect();
    DestinationChecker::new(policy).with_lookup(Arc::new(Scripted(Mutex::new(answers.iter().map(parsed).collect()))))
}

async fn send(checker: &DestinationChecker, url: &str) -> Sent {
    let delivery = ClaimedDelivery {
        id: "dlv_1".to_owned(),
        lease_token: String::new(),
        number: 1,
        kind: AttemptKind::Scheduled,
        resume: None,
        event_id: "evt_1".to_owned(),
        endpoint_id: "hook_1".to_owned(),
        url: url.to_owned(),
        secrets: Ok(vec![HookSecret::generate(&SystemRandomness)]),
        body: Bytes::from_static(b"{}").into(),
    };
    Sender::with_destination_checker(checker.clone()).send(&delivery, Timestamp::from_millis(0)).await
}

/// Returns a socket that must not get a connection.
fn forbidden_socket() -> (TcpListener, u16) {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    socket.set_nonblocking(true).unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}

fn assert_refused(sent: &Sent) {
    assert_eq!(sent.not_sent, Some(NotSent::RefusedAddress), "{sent:?}");
    assert_eq!(sent.attempt.error.as_deref(), Some("the destination is not allowed"));
    assert_eq!(sent.attempt.response_status, None);
}

#[tokio::test]
async fn a_name_that_turns_inside_after_its_registration_is_not_connected_to() {
    let (socket, port) = forbidden_socket();
    let url = format!("https://rebinding.example:{port}/in");
    let checker = resolving(AddressPolicy::public_only(), &[&[PUBLIC], &["127.0.0.1"]]);
    assert_eq!(checker.check(&url).await.unwrap().as_str(), url);
    assert_refused(&send(&checker, &url).await);
    assert_eq!(socket.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock, "a socket was opened");
}

#[tokio::test]
async fn one_inside_address_among_public_ones_refuses_the_name() {
    let (socket, port) = forbidden_socket();
    let url = format!("https://mixed.example:{port}/in");
    let mixed: [&[&str]; 4] =
        [&[PUBLIC, "fd00::1"], &["127.0.0.1", "2606:4700::1111"], &[PUBLIC, "::ffff:127.0.0.1"], &["169.254.169.254"]];
    for answer in mixed {
        let checker = resolving(AddressPolicy::public_only(), &[answer, answer]);
        assert_eq!(checker.check(&url).await, Err(AddressError::Forbidden), "{answer:?}");
        assert_refused(&send(&checker, &url).await);
    }
    assert_eq!(socket.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock, "a socket was opened");
}

#[tokio::test]
async fn a_name_that_nobody_knows_may_be_registered_and_cannot_be_sent_to() {
    let checker = resolving(AddressPolicy::public_only(), &[]);
    assert!(checker.check("https://later.example/in").await.is_ok());
    let sent = send(&checker, "https://later.example/in").await;
    assert_eq!((sent.not_sent, sent.attempt.error.as_deref()), (None, Some("cannot connect")));
}

#[tokio::test]
async fn a_resolver_that_is_silent_costs_two_seconds() {
    let checker = DestinationChecker::new(AddressPolicy::public_only()).with_lookup(Arc::new(Silent));
    let (url, limit) = ("https://silent.example/in", Duration::from_secs(2));
    let time = FrozenTime::begin();
    assert!(time.ends_after(limit, checker.check(url)).await.is_ok());
    let sent = time.ends_after(limit, send(&checker, url)).await;
    assert!(sent.attempt.timed_out && sent.not_sent.is_none(), "{sent:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_plain_http_a_name_must_lead_to_listed_addresses_only() {
    let receiver = Receiver::start(&[("/in", Answer::Bytes(status("200 OK")))]).await;
    let port = receiver.url("").rsplit_once(':').unwrap().1.to_owned();
    let url = format!("http://inside.example:{port}/in");
    let policy = listing(&["127.0.0.0/8", "10.1.0.0/16"]);
    let listed = resolving(policy.clone(), &[&["127.0.0.1"], &["127.0.0.1"]]);
    assert!(listed.check(&url).await.is_ok());
    assert_eq!(send(&listed, &url).await.attempt.response_status, Some(200));
    assert_eq!(receiver.at("/in").len(), 1);
    for answer in [&["127.0.0.1", PUBLIC][..], &[PUBLIC], &["10.2.0.1"]] {
        let others = resolving(policy.clone(), &[answer, answer]);
        assert_eq!(others.check(&url).await, Err(AddressError::Forbidden), "{answer:?}");
        assert_refused(&send(&others, &url).await);
    }
    assert_eq!(receiver.at("/in").len(), 1);
    // Over HTTPS, public addresses are allowed as well.
    let others = resolving(policy, &[&["127.0.0.1", PUBLIC]]);
    assert!(others.check("https://inside.example/in").await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_registers_only_what_it_may_send_to() {
    let hook_addresses = vec!["10.1.0.0/16".parse().unwrap()];
    let settings = Settings { allows_loopback_hooks: false, is_worker: false, hook_addresses, ..Settings::demo() };
    let running = start(settings).await.unwrap();
    let name = running.accounts()[0].name.clone();
    for (url, words) in [
        ("https://localhost/in", "not allowed"),
        ("https://10.2.0.1/in", "not allowed"),
        ("http://127.0.0.1:9000/in", "https://"),
    ] {
        let refused = running.create_hook(&name, url, &[]).await.unwrap_err().to_string();
        assert!(refused.contains(words), "{url}: {refused}");
    }
    running.create_hook(&name, "http://10.1.2.3/in", &[]).await.unwrap();
    assert!(running.stop().await);
}
