//! `listen`: shows webhooks as they arrive, with the verdict on their signatures.
//!
//! It checks only the signature; `requirements` contain the other checks. `hook_view` shows one webhook.

use std::convert::Infallible;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{self, Sender};
use tokio::sync::oneshot::{self, Receiver};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::arguments::ListenArguments;
use super::environment;
use super::exit::Exit;
use super::hook_view::{Arrival, View};
use crate::inbox::HookRequest;
use crate::runner::{SetUpError, unix_milliseconds, unix_seconds};

/// Maximum length of a webhook body in bytes, and maximum number of parallel connections.
const MAX_BODY: usize = 1024 * 1024;
const MAX_CONNECTIONS: usize = 256;
/// Maximum number of webhooks that wait to be shown. Further senders have to wait.
const WAITING: usize = 64;
/// Time limit for the last responses after the command ends.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// Shows webhooks until Ctrl-C or `--count`. The error is one sentence.
pub(super) async fn listen(arguments: &ListenArguments) -> Result<Exit, SetUpError> {
    let secret = arguments.secret_env.as_deref().map(secret).transpose()?;
    let listener = TcpListener::bind((arguments.host, arguments.port)).await.map_err(|error| {
        SetUpError::Target(format!(
            "cannot listen on {}:{}: {error}; choose another --port, or 0 for a free one",
            arguments.host, arguments.port
        ))
    })?;
    let address = listener
        .local_addr()
        .map_err(|error| SetUpError::Target(format!("cannot read the address of the listener: {error}")))?;
    let view = View::new(secret);
    let mut output = std::io::stdout();
    // A closed pipe does not end the command: the sender still gets its responses.
    let _ = writeln!(output, "Listening on http://{address}/ for webhooks; Ctrl-C ends it.\n{}", view.introduction());
    let _ = output.flush();
    let (sender, mut arrivals) = mpsc::channel(WAITING);
    let status = StatusCode::from_u16(arguments.answer).unwrap_or(StatusCode::NO_CONTENT);
    let (stop, stopped) = oneshot::channel();
    let mut server = JoinSet::new();
    server.spawn(accept(listener, status, sender, stopped));
    let mut seen: u64 = 0;
    let mut show = |arrival: &Arrival| {
        seen += 1;
        let _ = write!(output, "{}", view.show(arrival)).and_then(|()| output.flush());
        arguments.count.is_some_and(|count| seen >= count)
    };
    let interrupted = tokio::signal::ctrl_c();
    tokio::pin!(interrupted);
    let mut enough = arguments.count == Some(0);
    while !enough {
        enough = tokio::select! {
            _ = &mut interrupted => break,
            Some(arrival) = arrivals.recv() => show(&arrival),
        };
    }
    // Webhooks that arrived before Ctrl-C are shown too, and the sender gets its response.
    arrivals.close();
    while !enough && let Ok(arrival) = arrivals.try_recv() {
        enough = show(&arrival);
    }
    let _ = stop.send(());
    let _ = tokio::time::timeout(LAST_ANSWERS, server.join_next()).await;
    let hooks = if seen == 1 { "webhook" } else { "webhooks" };
    let _ = writeln!(output, "\n{seen} {hooks}.");
    Ok(Exit::Conformant)
}

fn secret(variable: &str) -> Result<String, SetUpError> {
    environment::value_of(variable).ok_or_else(|| {
        SetUpError::Configuration(format!(
            "no webhook secret: set the environment variable {variable} to the secret of the registered endpoint"
        ))
    })
}

async fn accept(listener: TcpListener, status: StatusCode, arrivals: Sender<Arrival>, mut stopped: Receiver<()>) {
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = &mut stopped => break,
            _ = connections.join_next(), if !connections.is_empty() => {}
            accepted = listener.accept(), if connections.len() < MAX_CONNECTIONS => {
                // A failed accept concerns one connection. The sender will retry.
                let Ok((stream, _)) = accepted else { continue };
                connections.spawn(serve(stream, status, arrivals.clone(), graceful.watcher()));
            }
        }
    }
    drop(listener);
    graceful.shutdown().await;
}

async fn serve(stream: TcpStream, status: StatusCode, arrivals: Sender<Arrival>, watcher: Watcher) {
    let arrivals = Arc::new(arrivals);
    let service = service_fn(move |request| answer(request, status, Arc::clone(&arrivals)));
    let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // A sender that closes the connection breaks only its own delivery.
    let _ = watcher.watch(connection).await;
}

async fn answer(
    request: Request<Incoming>,
    status: StatusCode,
    arrivals: Arc<Sender<Arrival>>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let begun = Instant::now();
    let (head, body) = request.into_parts();
    let respond = |status| {
        let mut response = Response::new(Full::default());
        *response.status_mut() = status;
        Ok(response)
    };
    let Ok(body) = Limited::new(body, MAX_BODY).collect().await else {
        return respond(StatusCode::PAYLOAD_TOO_LARGE);
    };
    let hook = HookRequest {
        method: head.method.to_string(),
        path: head.uri.to_string(),
        headers: head.headers,
        body: body.to_bytes(),
        arrived: Instant::now(),
        arrived_unix: unix_seconds(),
        answered: status.as_u16(),
    };
    let arrival = Arrival { hook, unix_milliseconds: unix_milliseconds(), reading: begun.elapsed() };
    // After the command ends, webhooks are no longer shown, but the sender still gets its response.
    let _ = arrivals.send(arrival).await;
    respond(status)
}
