//! Servers for the tests.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};

use contentgen_sdk::Client;
use contentgen_sdk::types::GenerateRequest;
use contentgen_server_stub::server::{self, Running, Settings};
use tokio::net::TcpSocket;

use super::until::until;

/// Starts a demonstration server on a free port.
pub(crate) async fn demonstration() -> Running {
    server::start(Settings::demo()).await.expect("a loopback port and a temporary folder are to be had")
}

/// Starts a demonstration server without a worker: jobs stay queued.
pub(crate) async fn idle() -> Running {
    let settings = Settings { is_worker: false, ..Settings::demo() };
    server::start(settings).await.expect("a loopback port and a temporary folder are to be had")
}

/// Returns the base URL of a server.
pub(crate) fn base_url(server: &Running) -> String {
    server.base_url().expect("the demonstration has an API").to_owned()
}

/// Returns an HTTP client that all tests share, since each new client would read the certificates of this machine. It keeps no
/// connections, because they would belong to the runtime of one test.
pub(crate) fn http() -> reqwest::Client {
    static SHARED: OnceLock<reqwest::Client> = OnceLock::new();
    let shared = SHARED.get_or_init(|| {
        // It needs a provider for TLS, although it does not use TLS.
        drop(rustls::crypto::ring::default_provider().install_default());
        reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().expect("the configuration is complete")
    });
    shared.clone()
}

/// Returns a base URL that refuses connections.
pub(crate) fn closed_port() -> String {
    format!("http://{}", free_address())
}

/// Returns an address for a program to listen at. No other process gets it before.
pub(crate) fn free_address() -> SocketAddr {
    let socket = TcpSocket::new_v4().expect("sockets are to be had");
    socket.set_reuseaddr(true).expect("it is fresh");
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).expect("there is a free port");
    let address = socket.local_addr().expect("it is bound");
    // Stays bound without listening until the process ends. So connections are refused, and on Linux a socket that shares the address
    // may listen. Other systems do not allow that.
    if cfg!(target_os = "linux") {
        std::mem::forget(socket);
    }
    address
}

/// Starts a server that reads requests and disconnects. Returns its base URL, and the idempotency keys of the requests.
pub(crate) fn breaking_off() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let base_url = format!("http://{}", listener.local_addr().expect("it is bound"));
    let (sender, keys) = channel();
    std::thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            let lines = BufReader::new(connection).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            let key = lines.filter_map(|line| line.strip_prefix("idempotency-key: ").map(str::to_owned)).last();
            let _ended = key.map(|key| sender.send(key));
        }
    });
    (base_url, keys)
}

/// Starts a server that reads requests and never answers. Returns its base URL, and the header blocks of the requests.
pub(crate) fn holding() -> (String, Receiver<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let base_url = format!("http://{}", listener.local_addr().expect("it is bound"));
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for connection in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(connection);
            let lines = reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            let _told = sender.send(lines.collect());
            held.push(reader);
        }
    });
    (base_url, requests)
}

/// Sends the lead form of the first account's website.
pub(crate) async fn capture(server: &Running, form: &str) {
    let url = format!("{}/capture/{}", base_url(server), server.accounts()[0].website_id);
    let request = http().post(url).header("Content-Type", "application/json");
    let answer = request.body(form.to_owned()).send().await.expect("the form is answered");
    assert!(answer.status().is_success(), "{}", answer.status());
}

/// Publishes an article on the server and returns its id.
pub(crate) async fn article(server: &Running, topic: &str) -> String {
    let account = &server.accounts()[0];
    let client = Client::builder().base_url(base_url(server)).api_key(&account.api_key).build();
    let client = client.expect("the configuration is complete");
    let request = GenerateRequest::new().topic(topic).website_id(&account.website_id);
    let article = client.generate_and_wait(request).await.expect("the article is written");
    let id = article.id.clone().expect("an article has an id");
    let is_published = async || client.get_article(&id).send().await.expect("the article can be read").url.is_some();
    until("the article is published", is_published).await;
    id
}
