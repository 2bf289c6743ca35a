//! `listen`: hooks as they come, with the verdict on their signatures.
//!
//! Checks of hooks are `requirements`'; nothing is judged here but the signature. How one hook is shown is in `hook_view`.

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
use super::config;
use super::exit::Exit;
use super::hook_view::{Arrival, View};
use crate::inbox::HookRequest;
use crate::runner::{SetUpError, unix_milliseconds, unix_seconds};

/// Longest hook body that is read, in bytes, and how many connections are served at once.
const MAX_BODY: usize = 1024 * 1024;
const MAX_CONNECTIONS: usize = 256;
/// Hooks that wait to be shown; senders wait beyond that.
const WAITING: usize = 64;
/// How long the last answers may take once the command ends.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// Shows hooks until Ctrl-C or `--count`; the error is one sentence.
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
    // A closed pipe ends nothing: the sender still gets its answers.
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
    // What was received before Ctrl-C is shown too, and its sender gets its answer.
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
    config::environment(variable).ok_or_else(|| {
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
                // A failed accept concerns one connection; the sender will come again.
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
    // A sender that hangs up breaks its own delivery only.
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
    // Nobody shows hooks any more once the command ends; the sender gets its answer all the same.
    let _ = arrivals.send(arrival).await;
    respond(status)
}
