//! A proxy to PostgreSQL that a test can block: connections stay open, and no byte passes.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use url::Url;

use crate::waiting::until_ok_blocking;

#[derive(Debug, Default)]
struct State {
    is_stopped: AtomicBool,
    /// Number of bytes from clients since the block.
    held: AtomicUsize,
}

/// A proxy before a PostgreSQL server.
pub(crate) struct Proxy {
    address: String,
    state: Arc<State>,
}

impl Proxy {
    /// Starts a proxy before the server that `database` names.
    pub(crate) fn before(database: &str) -> Self {
        let mut url = Url::parse(database).unwrap();
        let server = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(5432));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap();
        url.set_host(Some(&own.ip().to_string())).unwrap();
        url.set_port(Some(own.port())).unwrap();
        let state = Arc::<State>::default();
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(upstream) = TcpStream::connect(&server) else { return };
                let (to_client, from_server) = (client.try_clone().unwrap(), upstream.try_clone().unwrap());
                let (requests, responses) = (Arc::clone(&shared), Arc::clone(&shared));
                thread::spawn(move || pass(client, upstream, &requests, &requests.held));
                thread::spawn(move || pass(from_server, to_client, &responses, &AtomicUsize::new(0)));
            }
        });
        Self { address: url.to_string(), state }
    }

    /// Returns the address of the database through the proxy.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Blocks all traffic. Returns when a client has sent something to the server.
    pub(crate) fn stop_up(&self) {
        self.state.is_stopped.store(true, Ordering::SeqCst);
        let held = || self.state.held.load(Ordering::SeqCst);
        until_ok_blocking("the server is asked something", || if held() > 0 { Ok(()) } else { Err("nothing came") });
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, state: &State, held: &AtomicUsize) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if state.is_stopped.load(Ordering::SeqCst) {
            held.fetch_add(count, Ordering::SeqCst);
        } else if to.write_all(&buffer[..count]).is_err() {
            return;
        }
    }
    drop(to.shutdown(std::net::Shutdown::Both));
}
