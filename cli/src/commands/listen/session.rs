//! State of a run of `listen`: forwards, prints, answers and counts each hook.

use axum::http::HeaderMap;
use contentgen_sdk::Client;
use contentgen_sdk::webhook::{Claim, ClaimToken, MemoryReplayGuard, ReplayGuard as _, Verified};
use serde_json::json;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::fetches::Fetches;
use super::forward::Forwarder;
use super::missed::Missed;
use super::receiver::Arrival;
use super::view::View;
use crate::commands::interrupt::interrupted;
use crate::failure::{Exit, Failure, Signal};
use crate::output::{Screen, print};

/// Maximum number of hooks that are forwarded at the same time. At this limit, further hooks and their senders wait.
const MAX_FORWARDS: usize = 32;

/// A hook after it was forwarded, or without a receiver.
struct Forwarded {
    hook: Verified,
    token: ClaimToken,
    taken: oneshot::Sender<()>,
    /// True unless the receiver refused it.
    is_accepted: bool,
}

/// State of one run.
pub(super) struct Session {
    pub(super) fetches: Fetches,
    pub(super) missed: Missed,
    pub(super) taken: u64,
    screen: Screen,
    view: View,
    forwarder: Option<Forwarder>,
    forwards: JoinSet<Forwarded>,
    seen: MemoryReplayGuard,
    refused: u64,
}

impl Session {
    /// Makes the state of a run without hooks. Articles are fetched if there is a client.
    pub(super) fn new(view: View, fetching: Option<Client>, forwarder: Option<Forwarder>, screen: Screen) -> Self {
        Self {
            fetches: Fetches::new(fetching, screen),
            missed: Missed::default(),
            taken: 0,
            screen,
            view,
            forwarder,
            forwards: JoinSet::new(),
            seen: MemoryReplayGuard::new(),
            refused: 0,
        }
    }

    /// Handles a received request.
    pub(super) async fn take(&mut self, arrival: Arrival) -> Result<(), Failure> {
        match arrival {
            Arrival::Hook(hook, headers, taken) => self.hook(hook, headers, taken).await,
            Arrival::Refused(reason) => {
                self.refused += 1;
                let reason = reason.to_string();
                self.screen.note(&format!("refused: {reason}"), "refused", &json!({ "reason": reason }));
                Ok(())
            }
        }
    }

    /// Begins to forward a hook, or prints it, unless that was done. Hooks are forwarded at the same time, so that a slow receiver does not
    /// make the sender of the others time out.
    async fn hook(&mut self, hook: Verified, headers: HeaderMap, taken: oneshot::Sender<()>) -> Result<(), Failure> {
        let Ok(claim) = self.seen.claim(hook.id()).await;
        let id = hook.id();
        let token = match claim {
            Claim::New(token) => token,
            Claim::Done => {
                self.screen.note(&format!("{id} received again; it was printed before"), "again", &json!({ "id": id }));
                // The sender may have disconnected.
                let _answered = taken.send(());
                return Ok(());
            }
            // It is being forwarded, and may still fail: `taken` is dropped, and the sender retries.
            _ => return Ok(()),
        };
        let Some(forwarder) = self.forwarder.clone() else {
            return self.print(Forwarded { hook, token, taken, is_accepted: true }).await;
        };
        self.forwards.spawn(async move {
            let is_accepted = forwarder.takes(&hook, &headers).await;
            Forwarded { hook, token, taken, is_accepted }
        });
        Ok(())
    }

    /// Returns true if no more hooks may be received until one was handled.
    pub(super) fn is_full(&self) -> bool {
        self.fetches.is_full() || self.forwards.len() >= MAX_FORWARDS
    }

    /// Handles the next hook that was forwarded, or article that was fetched. Waits while there are neither.
    pub(super) async fn next(&mut self) -> Result<(), Failure> {
        tokio::select! {
            Some(forwarded) = self.forwards.join_next() => match forwarded {
                Ok(forwarded) => self.print(forwarded).await,
                Err(broken) => Err(Failure::new(Exit::Failed, format!("the task that forwards a webhook failed: {broken}"))),
            },
            printed = self.fetches.next() => printed,
        }
    }

    /// Ends the running forwards. Their senders retry.
    pub(super) async fn stop_forwarding(&mut self) {
        self.forwards.shutdown().await;
    }

    /// Prints a hook and confirms it. If the receiver refused it or printing fails, `taken` is dropped, and the sender retries.
    async fn print(&mut self, forwarded: Forwarded) -> Result<(), Failure> {
        let Forwarded { hook, token, taken, is_accepted } = forwarded;
        if !is_accepted {
            let Ok(()) = self.seen.release(hook.id(), token).await;
            return Ok(());
        }
        let is_missed = hook.event().is_ok_and(|event| self.missed.has(&event));
        let (shown, article_id) = self.view.show(&hook);
        if is_missed {
            let id = hook.id();
            let words = format!("{id} is about an event that was printed as missed");
            self.screen.note(&words, "again", &json!({ "id": id }));
        } else {
            print(&shown)?;
        }
        let Ok(()) = self.seen.complete(hook.id(), token).await;
        let _answered = taken.send(());
        self.taken += 1;
        if let Some(article_id) = article_id.filter(|_| !is_missed) {
            self.fetches.begin(article_id);
        }
        Ok(())
    }

    /// Waits for running fetches, unless interrupted, and prints the number of hooks. An interrupt is the normal end, unless fewer hooks
    /// arrived than `--count` asked for.
    pub(super) async fn end(self, signal: Option<Signal>, count: Option<u64>) -> Result<(), Failure> {
        let Self { screen, taken, refused, fetches, .. } = self;
        let outcome = match signal {
            None => tokio::select! {
                outcome = fetches.finish() => outcome,
                signal = interrupted() => Err(Failure::stopped(signal)),
            },
            Some(signal) if count.is_some() => Err(Failure::stopped(signal)),
            Some(_) => Ok(()),
        };
        screen.note(
            &format!("webhooks: {taken}, refused: {refused}"),
            "ended",
            &json!({ "hooks": taken, "refused": refused }),
        );
        outcome
    }
}
