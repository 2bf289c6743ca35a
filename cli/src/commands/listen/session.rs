//! From the first hook to the last: each is printed, then answered, then counted.

use std::time::Duration;

use contentgen_sdk::webhook::{Claim, MemoryReplayGuard, ReplayGuard as _, VerifiedHook, Verifier};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

use super::fetches::Fetches;
use super::receiver::{Arrival, router};
use super::view::View;
use crate::arguments::{Global, HOOK_SECRET, Listen, variable};
use crate::commands::interrupt::interrupted;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Screen, print};

/// Hooks that wait to be printed; senders wait beyond that.
const WAITING: usize = 64;
/// How long the last answers may take once no more hooks are taken.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Prints hooks until Ctrl-C or `--count`, and ends in order: what was printed was answered.
pub(crate) async fn listen(options: Listen, global: &Global, screen: Screen) -> Result<(), Failure> {
    let verifier = verifier(&options)?;
    let client = if options.fetch { Some(Connection::open(global)?.client) } else { None };
    let busy = |error: std::io::Error| {
        let message = format!("{} cannot be listened on: {error}", options.address);
        Failure::new(Exit::Failed, message).advise("choose another address with --listen, or port 0 for a free one")
    };
    let listener = TcpListener::bind(options.address).await.map_err(busy)?;
    let url = format!("http://{}", listener.local_addr().map_err(busy)?);
    let (sender, mut arrivals) = mpsc::channel(WAITING);
    let (stop, stopped) = oneshot::channel::<()>();
    let server = axum::serve(listener, router(verifier, sender)).with_graceful_shutdown(async move {
        // It stops when it is told to, and when there is nobody left to tell it.
        let _stopped = stopped.await;
    });
    let mut server = std::pin::pin!(server.into_future());
    let mut is_interrupted = std::pin::pin!(interrupted());
    screen.note(&format!("listening on {url}"), "listening", &json!({ "url": url }));
    let view = View { is_json: screen.is_json, shows_leads: options.show_lead };
    let mut session = Session {
        screen,
        view,
        seen: MemoryReplayGuard::new(),
        taken: 0,
        refused: 0,
        fetches: Fetches::new(client, screen),
    };
    let outcome = loop {
        if options.count.is_some_and(|count| session.taken >= count) {
            break Ok(true);
        }
        let step = tokio::select! {
            biased;
            () = &mut is_interrupted => break Ok(false),
            broken = &mut server => return Err(broke_down(broken)),
            printed = session.fetches.next() => printed,
            Some(arrival) = arrivals.recv() => session.take(arrival).await,
        };
        if let Err(failure) = step {
            break Err(failure);
        }
    };
    // Whoever waits for an answer is told to come again; whoever has one gets it.
    drop(arrivals);
    drop(stop);
    let _answered = tokio::time::timeout(LAST_ANSWERS, server).await;
    session.end(outcome?).await
}

/// Verifies by the secrets of the environment.
fn verifier(options: &Listen) -> Result<Verifier, Failure> {
    let advice = format!(
        "set {HOOK_SECRET} to what the dashboard or `contentgen-server hook create --url http://{}/hooks` shows",
        options.address
    );
    let secrets = variable(HOOK_SECRET).unwrap_or_default();
    let secrets = secrets.split(',').filter(|secret| !secret.trim().is_empty());
    Verifier::new(secrets).map_err(|error| Failure::usage(error.to_string()).advise(advice))
}

fn broke_down(outcome: std::io::Result<()>) -> Failure {
    let reason = outcome.err().map_or_else(|| "it stopped".to_owned(), |error| error.to_string());
    Failure::new(Exit::Failed, format!("the receiver broke down: {reason}"))
}

/// What is known of the hooks so far.
struct Session {
    screen: Screen,
    view: View,
    seen: MemoryReplayGuard,
    taken: u64,
    refused: u64,
    fetches: Fetches,
}

impl Session {
    async fn take(&mut self, arrival: Arrival) -> Result<(), Failure> {
        match arrival {
            Arrival::Hook(hook, taken) => self.hook(&hook, taken).await,
            Arrival::Refused(reason) => {
                self.refused += 1;
                let reason = reason.to_string();
                self.screen.note(&format!("refused: {reason}"), "refused", &json!({ "reason": reason }));
                Ok(())
            }
        }
    }

    /// Prints a hook, unless that was done, and only then has it answered. When it cannot be printed, `taken` is dropped.
    async fn hook(&mut self, hook: &VerifiedHook, taken: oneshot::Sender<()>) -> Result<(), Failure> {
        let Ok(claim) = self.seen.claim(hook.id()).await;
        if claim != Claim::New {
            let id = hook.id();
            self.screen.note(&format!("{id} again, which was printed already"), "again", &json!({ "id": id }));
            // Its sender may have gone meanwhile.
            let _answered = taken.send(());
            return Ok(());
        }
        let (shown, article_id) = self.view.show(hook);
        print(&shown)?;
        let Ok(()) = self.seen.complete(hook.id()).await;
        let _answered = taken.send(());
        self.taken += 1;
        if let Some(article_id) = article_id {
            self.fetches.begin(article_id);
        }
        Ok(())
    }

    /// Waits for the articles that are on their way, unless it was interrupted, and tells how many hooks there were.
    async fn end(self, waits: bool) -> Result<(), Failure> {
        let Self { screen, taken, refused, fetches, .. } = self;
        let outcome = if waits {
            tokio::select! {
                outcome = fetches.finish() => outcome,
                () = interrupted() => Ok(()),
            }
        } else {
            Ok(())
        };
        screen.note(
            &format!("hooks: {taken}, refused: {refused}"),
            "ended",
            &json!({ "hooks": taken, "refused": refused }),
        );
        outcome
    }
}
