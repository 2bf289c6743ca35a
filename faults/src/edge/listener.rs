//! Accepts connections and reads HTTP from them.

use std::convert::Infallible;
use std::net::IpAddr;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::exchange::BytesFault;
use super::proxy::Proxy;
use super::wire::Wire;

/// Maximum size of the header block, in bytes. It is far above the document's limit, which the server must enforce.
const MAX_HEADER_BLOCK: usize = 512 * 1024;
/// Maximum number of headers of one request.
const MAX_HEADERS: usize = 2_000;
/// Maximum number of bytes read at once for a fault that answers raw bytes, and the maximum pause between them.
const MAX_BYTES: usize = 64 * 1024;
const PAUSE: Duration = Duration::from_millis(200);

impl Proxy {
    /// Serves connections until the task ends.
    pub(crate) async fn serve(self, listener: TcpListener) {
        let mut connections = JoinSet::new();
        loop {
            // A failed accept concerns one connection. The caller will try again.
            let Ok((stream, peer)) = listener.accept().await else { continue };
            while connections.try_join_next().is_some() {}
            let _ = stream.set_nodelay(true);
            let proxy = self.clone();
            connections.spawn(async move {
                let fault = proxy.layers().iter().find_map(|layer| layer.seams.bytes);
                match fault {
                    Some(fault) => proxy.serve_bytes(stream, peer.ip(), fault).await,
                    None => proxy.serve_http(stream, peer.ip()).await,
                }
            });
        }
    }

    async fn serve_http(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send, peer: IpAddr) {
        let form = self.connection_form();
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(peer);
            let proxy = self.clone();
            async move { Ok::<_, Infallible>(proxy.answer(request).await) }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .max_buf_size(MAX_HEADER_BLOCK)
            .max_headers(MAX_HEADERS)
            .title_case_headers(form.title_case)
            .keep_alive(!form.closes)
            .serve_connection(TokioIo::new(Wire::new(stream, form.rewrite)), service);
        // A caller that disconnects ends only its own connection.
        let _ = connection.await;
    }

    /// Reads the first bytes and writes the fault's answer. Without one, serves the connection as HTTP.
    async fn serve_bytes(self, mut stream: TcpStream, peer: IpAddr, fault: BytesFault) {
        let mut bytes = vec![0; MAX_BYTES];
        let mut length = 0;
        while let Ok(Ok(read)) = tokio::time::timeout(PAUSE, stream.read(&mut bytes[length..])).await {
            length += read;
            if read == 0 || length == bytes.len() {
                break;
            }
        }
        bytes.truncate(length);
        if let Some(answer) = fault(&String::from_utf8_lossy(&bytes)) {
            let layer = self.layers().iter().find(|layer| layer.seams.bytes.is_some()).cloned();
            if let Some(layer) = layer {
                layer.enabled.count_as_spoiled("edge", "bytes");
            }
            let _ = stream.write_all(&answer).await;
            return;
        }
        let (rest, write) = stream.into_split();
        self.serve_http(tokio::io::join(std::io::Cursor::new(bytes).chain(rest), write), peer).await;
    }
}
