//! Run of `listen`: binds the address, handles hooks, and shuts down.

use std::time::Duration;

use contentgen_sdk::Client;
use contentgen_sdk::webhook::Verifier;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

use super::forward::Forwarder;
use super::missed::Missed;
use super::receiver::router;
use super::reminder::Reminder;
use super::session::Session;
use super::view::View;
use crate::arguments::{Global, HOOK_SECRET, Listen};
use crate::commands::interrupt::interrupted;
use crate::connection::{Connection, hook_secrets};
use crate::failure::{Exit, Failure};
use crate::output::Screen;

/// Maximum number of hooks that wait to be printed; beyond it, senders wait.
const WAITING: usize = 64;
/// Time limit for the last responses during shutdown.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Prints hooks until Ctrl-C or `--count`, then shuts down in order: every printed hook gets its response.
pub(in crate::commands) async fn listen(options: Listen, global: &Global, screen: Screen) -> Result<(), Failure> {
    let verifier = verifier(&options, global)?;
    let forwarder = options.forward_to.as_deref().map(|url| Forwarder::new(url, screen)).transpose()?;
    let needs_key = options.fetch || options.since.is_some();
    let client = if needs_key { Some(Connection::open(global)?.client) } else { None };
    let busy = |error: std::io::Error| {
        let message = format!("cannot listen on {}: {error}", options.address);
        Failure::new(Exit::Failed, message).advise("choose another address with --listen, or port 0 for a free one")
    };
    let listener = TcpListener::bind(options.address).await.map_err(busy)?;
    let url = format!("http://{}", listener.local_addr().map_err(busy)?);
    let (sender, mut arrivals) = mpsc::channel(WAITING);
    let (stop, stopped) = oneshot::channel::<()>();
    let server = axum::serve(listener, router(verifier, sender)).with_graceful_shutdown(async move {
        // The server stops on the signal, or if the sender is dropped.
        let _stopped = stopped.await;
    });
    let mut server = std::pin::pin!(server.into_future());
    let mut is_interrupted = std::pin::pin!(interrupted());
    screen.note(&format!("listening on {url}"), "listening", &json!({ "url": url }));
    let mut reminder = Reminder::new(options.remind_after);
    let view = View { screen, shows_leads: options.show_personal };
    let fetching = client.clone().filter(|_| options.fetch);
    let mut session = Session::new(view, fetching, forwarder, screen);
    // Hooks received meanwhile wait in the queue, so no event between the lists and the first hook is lost.
    let caught_up = tokio::select! {
        biased;
        signal = &mut is_interrupted => Ok(Some(signal)),
        broken = &mut server => return Err(broke_down(broken)),
        outcome = catch_up(&options, client.as_ref(), view, &mut session, screen) => outcome.map(|()| None),
    };
    let outcome = match caught_up {
        Ok(None) => loop {
            let missing = options.count.map(|count| count.saturating_sub(session.taken));
            if missing == Some(0) {
                break Ok(None);
            }
            let step = tokio::select! {
                biased;
                signal = &mut is_interrupted => break Ok(Some(signal)),
                broken = &mut server => return Err(broke_down(broken)),
                printed = session.next() => printed,
                Some(arrival) = arrivals.recv(), if !session.is_full() => {
                    reminder.start_again();
                    session.take(arrival).await
                }
                () = reminder.due() => {
                    reminder.tell(&url, missing, screen);
                    Ok(())
                }
            };
            if let Err(failure) = step {
                break Err(failure);
            }
        },
        ended => ended,
    };
    // Requests without a result get 503, so their senders retry. Requests with a result get it.
    drop(arrivals);
    session.stop_forwarding().await;
    drop(stop);
    let _answered = tokio::time::timeout(LAST_ANSWERS, server).await;
    session.end(outcome?, options.count).await
}

/// Prints missed events if requested, and fetches their articles.
async fn catch_up(
    options: &Listen,
    client: Option<&Client>,
    view: View,
    session: &mut Session,
    screen: Screen,
) -> Result<(), Failure> {
    let (Some(since), Some(client)) = (options.since, client) else { return Ok(()) };
    session.missed = Missed::show(client, since.time(), view, screen).await?;
    for article_id in std::mem::take(&mut session.missed.articles) {
        while session.fetches.is_full() {
            session.fetches.next().await?;
        }
        session.fetches.begin(article_id);
    }
    Ok(())
}

/// Makes a verifier with the secrets of the profile or of the environment.
fn verifier(options: &Listen, global: &Global) -> Result<Verifier, Failure> {
    let advice = format!(
        "set {HOOK_SECRET} to the secret of the webhook endpoint; on the reference server, \
         `contentgen-server hook create --url http://{}/hooks` creates an endpoint and prints its secret",
        options.address
    );
    let secrets = hook_secrets(global)?;
    let secrets: Vec<&str> = secrets.split(',').filter(|secret| !secret.trim().is_empty()).collect();
    if secrets.is_empty() {
        return Err(Failure::usage(format!("no webhook secret: {HOOK_SECRET} is not set")).advise(advice));
    }
    Verifier::new(secrets).map_err(|error| Failure::usage(error.to_string()).advise(advice))
}

fn broke_down(outcome: std::io::Result<()>) -> Failure {
    let reason = outcome.err().map_or_else(|| "it stopped unexpectedly".to_owned(), |error| error.to_string());
    Failure::new(Exit::Failed, format!("the webhook receiver failed: {reason}"))
}
