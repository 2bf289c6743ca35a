//! The webhooks that the suite's receiver has received, and its scripted responses.
//!
//! `runner::receiver` listens, `endpoints` contains the addresses, `requirements::hooks` the checks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::endpoints::{ADDITIONAL, Endpoint, Endpoints};
use super::latency::HookLatency;
use super::request::{COPIED_WITHIN, HookAnswer, HookRequest, header_bytes, is_in};
use crate::lateness::Lateness;

/// Maximum number of bytes of bodies that are kept. A sender that floods the receiver must not fill the memory.
const KEPT_BYTES: usize = 64 * 1024 * 1024;
/// Maximum number of arrivals that are kept.
const KEPT_ARRIVALS: usize = 50_000;

/// Interval at which the log is checked if nothing arrives.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// Returns the location of a scripted redirect for `marker`: the same path with this query.
pub fn redirection(marker: &str) -> String {
    format!("?redirected={marker}")
}

/// Returns true if a request for `path` goes to the endpoint whose path has this ending; the ending is empty for the endpoint under test.
fn goes_to(end: &str, path: &str) -> bool {
    if path.contains(ADDITIONAL) { !end.is_empty() && path.ends_with(end) } else { end.is_empty() }
}

/// A sender that gave up waiting for a response or its end.
#[derive(Debug, Clone, Copy)]
pub struct GivenUp {
    /// Time at which it closed the connection.
    pub at: Instant,
    /// Time that it had waited.
    pub after: Duration,
}

#[derive(Debug, Default)]
struct State {
    seen: Vec<HookRequest>,
    kept_bytes: usize,
    /// Scripted responses, by the end of the path (empty for the endpoint under test) and a text in the body.
    scripts: BTreeMap<(String, String), Vec<HookAnswer>>,
    /// Periods in which senders were kept waiting for a response: the path, the start, and the end if it has ended.
    kept_waiting: Vec<(String, Instant, Option<Instant>)>,
    /// The most recent scripted responses, for copies of the same attempt.
    answered: Vec<(HookRequest, (HookAnswer, String))>,
    /// Senders that gave up waiting for a response or its end, by path.
    given_up: Vec<(String, GivenUp)>,
    latencies: Vec<Duration>,
    /// Article ids from webhooks that a check has claimed.
    claimed: BTreeSet<String>,
    /// Number of connections to the receiver's TLS port.
    handshakes: usize,
}

/// The shared log of one receiver.
#[derive(Default)]
pub struct HookLog {
    state: Mutex<State>,
    arrived: Notify,
    secret: Mutex<Option<String>>,
    endpoints: Endpoints,
    lateness: Lateness,
}

impl fmt::Debug for HookLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HookLog").field("endpoints", &self.endpoints).finish_non_exhaustive()
    }
}

impl HookLog {
    /// Returns the log of a receiver with these endpoints.
    pub fn new(endpoints: Endpoints) -> Self {
        Self { endpoints, ..Self::default() }
    }

    /// Extends waits by the lateness of the suite.
    #[must_use]
    pub fn with(mut self, lateness: Lateness) -> Self {
        self.lateness = lateness;
        self
    }

    /// Returns the registered and available endpoints.
    pub fn endpoints(&self) -> &Endpoints {
        &self.endpoints
    }

    /// Sets the secret of the registration.
    pub fn set_secret(&self, secret: Option<String>) {
        *self.secret.lock().unwrap_or_else(PoisonError::into_inner) = secret;
    }

    /// Returns the secret of the registration.
    pub fn secret(&self) -> Option<String> {
        self.secret.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records a connection to the TLS port.
    pub fn record_handshake(&self) {
        self.state().handshakes += 1;
        self.arrived.notify_waiters();
    }

    /// Returns the number of connections to the TLS port.
    pub fn handshakes(&self) -> usize {
        self.state().handshakes
    }

    /// Scripts `answers` for the next requests to the endpoint under test whose body contains `marker`; 204 follows again.
    pub fn script(&self, marker: &str, answers: &[HookAnswer]) {
        self.state().scripts.insert((String::new(), marker.to_owned()), answers.to_vec());
    }

    /// Scripts `answers` for a further endpoint.
    pub fn script_at(&self, endpoint: &Endpoint, marker: &str, answers: &[HookAnswer]) {
        self.state().scripts.insert((endpoint.path.clone(), marker.to_owned()), answers.to_vec());
    }

    /// Takes the response to a request, and the marker of its script. A copy of an attempt gets the response of that attempt.
    pub fn answer_for(&self, request: &HookRequest) -> (HookAnswer, String) {
        let mut state = self.state();
        state.answered.retain(|(known, _)| request.arrived.saturating_duration_since(known.arrived) < COPIED_WITHIN);
        if let Some((_, answer)) = state.answered.iter().find(|(known, _)| request.is_copy_of(known)) {
            return answer.clone();
        }
        let answer = Self::next_answer(&mut state, &request.path, &request.body);
        if !answer.1.is_empty() {
            state.answered.push((request.clone(), answer.clone()));
        }
        answer
    }

    fn next_answer(state: &mut State, path: &str, body: &[u8]) -> (HookAnswer, String) {
        let mut scripts = state.scripts.iter_mut();
        let script =
            scripts.find(|((end, marker), answers)| !answers.is_empty() && goes_to(end, path) && is_in(marker, body));
        script.map_or((HookAnswer::Status(204), String::new()), |((_, marker), answers)| {
            (answers.remove(0), marker.clone())
        })
    }

    /// Adds an arrival, if there is room, and wakes waiting checks.
    pub fn record(&self, request: HookRequest) {
        let mut state = self.state();
        state.kept_bytes += request.body.len() + header_bytes(&request.headers);
        if state.kept_bytes <= KEPT_BYTES && state.seen.len() < KEPT_ARRIVALS {
            state.seen.push(request);
        }
        drop(state);
        self.arrived.notify_waiters();
    }

    /// Records that a sender is kept waiting for a response at `path`, until [`HookLog::let_go`] is called with the returned number.
    pub fn keep_waiting(&self, path: &str) -> usize {
        let mut state = self.state();
        state.kept_waiting.push((path.to_owned(), Instant::now(), None));
        state.kept_waiting.len() - 1
    }

    /// Records that a sender is no longer kept waiting.
    pub fn let_go(&self, kept_waiting: usize) {
        if let Some((_, _, end)) = self.state().kept_waiting.get_mut(kept_waiting) {
            *end = Some(Instant::now());
        }
    }

    /// Returns how long any sender was kept waiting since then, at other endpoints than `except`. A correct sender may
    /// have no free worker for other webhooks meanwhile.
    pub fn kept_waiting_since(&self, since: Instant, except: Option<&Endpoint>) -> Duration {
        let (state, now) = (self.state(), Instant::now());
        let is_other = |path: &str| except.is_none_or(|endpoint| !path.ends_with(&endpoint.path));
        let others = state.kept_waiting.iter().filter(|(path, ..)| is_other(path));
        let (mut total, mut counted_until) = (Duration::ZERO, since);
        // The periods are in the order of their start.
        for (_, begin, end) in others {
            let (begin, end) = ((*begin).max(counted_until), end.unwrap_or(now));
            total += end.saturating_duration_since(begin);
            counted_until = counted_until.max(end);
        }
        total
    }

    /// Records that a sender gave up waiting at `path` after that time.
    pub fn record_given_up(&self, path: &str, after: Duration) {
        self.state().given_up.push((path.to_owned(), GivenUp { at: Instant::now(), after }));
        self.arrived.notify_waiters();
    }

    /// Returns the first sender that gave up at `endpoint`.
    pub fn given_up(&self, endpoint: &Endpoint) -> Option<GivenUp> {
        let state = self.state();
        state.given_up.iter().find(|(path, _)| path.ends_with(&endpoint.path)).map(|(_, given_up)| *given_up)
    }

    /// Records the delivery time of a webhook.
    pub fn record_latency(&self, time: Duration) {
        self.state().latencies.push(time);
    }

    /// Claims an article's id for one check. Returns false if another check has it. As many jobs need as many articles.
    pub fn claim(&self, id: &str) -> bool {
        self.state().claimed.insert(id.to_owned())
    }

    /// Returns the delivery times of webhooks.
    pub fn latency(&self) -> Option<HookLatency> {
        HookLatency::of(self.state().latencies.clone())
    }

    /// Returns every arrival so far at the endpoint under test whose body contains `marker`.
    pub fn mentioning(&self, marker: &str) -> Vec<HookRequest> {
        self.arrivals(|request| request.is_main() && request.mentions(marker))
    }

    /// Returns the last request to the endpoint under test that had no body and was not redirected.
    pub fn arrived_empty(&self) -> Option<HookRequest> {
        let is_empty = |request: &HookRequest| request.is_main() && request.body.is_empty();
        self.arrivals(|request| is_empty(request) && !request.path.contains(&redirection(""))).pop()
    }

    /// Returns the request that followed a scripted redirect for `marker`, if any.
    pub fn redirected(&self, marker: &str) -> Option<HookRequest> {
        let query = redirection(marker);
        self.arrivals(|request| request.path.ends_with(&query)).into_iter().next()
    }

    /// Returns every arrival so far at a further endpoint whose body contains `marker`.
    pub fn arrived_at(&self, endpoint: &Endpoint, marker: &str) -> Vec<HookRequest> {
        self.arrivals(|request| request.path.ends_with(&endpoint.path) && request.mentions(marker))
    }

    /// Returns every arrival so far with one of `names` in its path or body. If no arrival has one, returns every one
    /// after `since`. If responses were scripted for these names, returns only arrivals at those endpoints, from the
    /// first refused request on.
    pub fn of_case(&self, names: &[String], since: Instant) -> Vec<HookRequest> {
        let has_name = |text: &str| names.iter().any(|name| text.contains(name.as_str()));
        let is_named =
            |request: &HookRequest| names.iter().any(|name| request.mentions(name)) || has_name(&request.path);
        let named = self.arrivals(is_named);
        if named.is_empty() {
            return self.arrivals(|request| request.arrived >= since);
        }
        let scripted: Vec<String> = {
            let state = self.state();
            let scripts = state.scripts.keys().filter(|(_, marker)| has_name(marker));
            scripts.map(|(end, _)| end.clone()).collect()
        };
        let is_scripted = |request: &HookRequest| scripted.iter().any(|end| goes_to(end, &request.path));
        let concerned = named.iter().filter(|request| is_scripted(request)).cloned();
        let concerned: Vec<_> = concerned.skip_while(|request| (200..300).contains(&request.answered)).collect();
        if concerned.is_empty() { named } else { concerned }
    }

    /// Returns every arrival so far, at any endpoint.
    pub fn all(&self) -> Vec<HookRequest> {
        self.arrivals(|_| true)
    }

    /// Waits until `wanted` accepts the arrivals that contain `marker`, or `limit` has passed.
    pub async fn wait_for(
        &self,
        marker: &str,
        limit: Duration,
        wanted: impl Fn(&[HookRequest]) -> bool,
    ) -> Vec<HookRequest> {
        self.wait_until(limit, || self.mentioning(marker), |found| wanted(found)).await
    }

    /// Calls `look` whenever something arrives, until `wanted` accepts the result or `limit` has passed. Returns the last result.
    pub async fn wait_until<Seen>(
        &self,
        limit: Duration,
        look: impl Fn() -> Seen,
        wanted: impl Fn(&Seen) -> bool,
    ) -> Seen {
        self.look_until(|waited| waited >= limit, look, wanted).await
    }

    /// Does the same for an expected webhook. Excludes the time in which the receiver itself kept the sender waiting.
    pub async fn expect<Seen>(&self, limit: Duration, look: impl Fn() -> Seen, wanted: impl Fn(&Seen) -> bool) -> Seen {
        self.expect_beside(None, limit, look, wanted).await
    }

    /// Does the same, but includes the time in which the sender was kept waiting at `endpoint`.
    pub async fn expect_beside<Seen>(
        &self,
        endpoint: Option<&Endpoint>,
        limit: Duration,
        look: impl Fn() -> Seen,
        wanted: impl Fn(&Seen) -> bool,
    ) -> Seen {
        let begun = Instant::now();
        let is_over = |waited| waited >= limit && waited >= limit + self.kept_waiting_since(begun, endpoint);
        self.look_until(is_over, look, wanted).await
    }

    async fn look_until<Seen>(
        &self,
        is_over: impl Fn(Duration) -> bool,
        look: impl Fn() -> Seen,
        wanted: impl Fn(&Seen) -> bool,
    ) -> Seen {
        let (begun, late_before) = (Instant::now(), self.lateness.total());
        let is_time_over = || {
            let late = self.lateness.total().saturating_sub(late_before);
            is_over(begun.elapsed().saturating_sub(late))
        };
        loop {
            let notified = self.arrived.notified();
            let found = look();
            if wanted(&found) {
                return found;
            }
            if is_time_over() {
                // After a pause of the process, new arrivals and the length of the pause are only known a moment later.
                Lateness::catch_up().await;
                let found = look();
                if wanted(&found) || is_time_over() {
                    return found;
                }
            }
            // A missed wake-up costs at most 200 ms.
            let _ = tokio::time::timeout(LOOK_AGAIN, notified).await;
        }
    }

    fn arrivals(&self, wanted: impl Fn(&HookRequest) -> bool) -> Vec<HookRequest> {
        self.state().seen.iter().filter(|request| wanted(request)).cloned().collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
