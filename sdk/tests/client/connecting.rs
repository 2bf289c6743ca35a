//! Connections of a client: proxies of the environment, and servers that refuse connections.

use std::process::Command;
use std::time::Duration;

use contentgen_sdk::{Client, Error, ErrorKind};
use rustix::net::{AddressFamily, SocketType, bind, getsockname, listen, socket};

use super::scripted::{Act, serve};
use super::{KEY, quick};

/// Variables of the child process: the server to call, and whether to connect directly.
const BASE_URL: &str = "CONTENTGEN_TEST_BASE_URL";
const IS_DIRECT: &str = "CONTENTGEN_TEST_IS_DIRECT";
/// Response of a proxy.
const TEAPOT: &str = "HTTP/1.1 418 I'm a teapot\r\ncontent-length: 0\r\n\r\n";

/// Proxies are read from the environment of a process, so this runs a second process.
#[test]
fn proxies_of_the_environment_are_asked_but_for_this_machine_and_where_that_is_refused() {
    let cases = [
        ("http://content.example", false, true),
        ("http://content.example", true, false),
        ("http://127.0.0.1:9", false, false),
        ("http://localhost:9", false, false),
        ("http://api.localhost:9", false, false),
        ("http://[::1]:9", false, false),
    ];
    for (base_url, is_direct, is_asked) in cases {
        let (proxy, requests) = serve(vec![Act::Write(TEAPOT)]);
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "connecting::calls_what_the_environment_names", "--nocapture"]);
        for variable in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
            child.env(variable, &proxy);
        }
        child.env_remove("NO_PROXY").env_remove("no_proxy").env_remove("REQUEST_METHOD").env(BASE_URL, base_url);
        if is_direct {
            child.env(IS_DIRECT, "1");
        }
        let output = child.output().unwrap();
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.contains("called "), "{base_url}: {output}");
        assert_eq!(output.contains("called Some(418)"), is_asked, "{base_url}: {output}");
        let head = requests.try_recv().ok();
        assert_eq!(head.is_some_and(|head| head.starts_with("GET http://content.example/")), is_asked, "{base_url}");
    }
}

#[tokio::test]
async fn calls_what_the_environment_names() {
    let Some(base_url) = std::env::var_os(BASE_URL) else { return };
    let builder = Client::builder().base_url(base_url.into_string().unwrap()).allow_plain_http().api_key(KEY);
    let builder = builder.options(quick().max_retries(0)).connect_timeout(Duration::from_secs(3));
    let builder = if std::env::var_os(IS_DIRECT).is_some() { builder.no_proxy() } else { builder };
    let error = builder.build().unwrap().get_article("art_1").send().await.unwrap_err();
    println!("called {:?}", error.status().map(|status| status.as_u16()));
}

#[tokio::test]
async fn a_server_that_takes_no_connections_is_given_up_in_time() {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&socket, &std::net::SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    listen(&socket, 0).unwrap();
    let address = std::net::SocketAddr::try_from(getsockname(&socket).unwrap()).unwrap();
    // No accept call empties the queue. A connection beyond its size gets no response.
    let patience = Duration::from_millis(200);
    let queue: Vec<_> = (0..8).map_while(|_| std::net::TcpStream::connect_timeout(&address, patience).ok()).collect();
    assert!(queue.len() < 8, "the queue is full");
    let builder = Client::builder().base_url(format!("http://{address}")).api_key(KEY).connect_timeout(patience);
    let client = builder.options(quick().max_retries(1)).build().unwrap();
    let error: Error = client.get_article("art_1").send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Connect, 2), "{error:?}");
}
