//! A stop ends in time if PostgreSQL does not respond and keeps its connections open.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use tempfile::TempDir;

use super::program::Server;
use crate::postgres::{Proxy, Schema};
use crate::waiting::GIVE_UP_AFTER;

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.ready["base_url"].as_str().unwrap().trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(GIVE_UP_AFTER)).unwrap();
    stream
}

#[test]
fn a_server_whose_database_no_longer_answers_stops_when_it_is_asked_to() {
    let Some(schema) = Schema::new() else { return };
    let proxy = Proxy::before(schema.address());
    let folder = TempDir::new().unwrap();
    let mut server = Server::start(folder.path(), &["--demo", "--database", proxy.address()]);
    proxy.stop_up();
    server.signal("-TERM");
    assert_eq!(server.ended(), Some(0));
}

#[test]
fn a_second_signal_ends_a_server_whose_database_no_longer_answers() {
    let Some(schema) = Schema::new() else { return };
    let proxy = Proxy::before(schema.address());
    let folder = TempDir::new().unwrap();
    let mut server = Server::start(folder.path(), &["--demo", "--roles", "api", "--database", proxy.address()]);
    // The body of this request never arrives. The request is open until the server's time limit.
    let key = server.ready["accounts"][0]["api_key"].as_str().unwrap();
    let mut open = connect(&server);
    let head = format!(
        "POST /api/v1/generate HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\
         content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n"
    );
    open.write_all(head.as_bytes()).unwrap();
    open.read_exact(&mut [0; 25]).unwrap();
    proxy.stop_up();
    server.signal("-TERM");
    let is_draining = || {
        let mut readiness = connect(&server);
        readiness.write_all(b"GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        readiness.read_to_string(&mut answer).unwrap();
        answer.ends_with("draining\n")
    };
    while !is_draining() {}
    server.signal("-TERM");
    assert_eq!(server.ended(), Some(0));
    // The server stopped without waiting for the request, which got no response.
    let mut rest = Vec::new();
    drop(open.read_to_end(&mut rest));
    assert!(rest.is_empty(), "{}", String::from_utf8_lossy(&rest));
}

#[test]
fn a_server_that_waits_for_its_database_stops_before_it_has_begun() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("postgres://someone@{}/contentgen", silent.local_addr().unwrap());
    let folder = TempDir::new().unwrap();
    let mut server = Server::launch(folder.path(), &["--database", &address]);
    let _connection = silent.accept().unwrap();
    server.signal("-TERM");
    assert_eq!(server.ended(), Some(0));
}
