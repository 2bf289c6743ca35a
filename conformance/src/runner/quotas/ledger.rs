//! Tracks which requests are charged to which quota, so that the suite sends none that would be refused.
//!
//! Learns the quotas of an operation from its responses. A target that announces nothing is not held back before it returns 429.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::count::{Count, MAX_COUNTED, MAX_WINDOW};
use super::policy::{self, Charged, Quota};
use crate::check::{Credential, Exchange, Precedence, Request};

/// Maximum number of quotas that are kept: a target may announce another one in each response.
pub(super) const MAX_QUOTAS: usize = 100;
/// Time after which a request behind a repeated case checks again. A change wakes it earlier.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// Maximum time that other cases are held back once there is room for a repeated one. One of them may hold something
/// that the repeated case waits for.
const MAX_HOLD: Duration = Duration::from_secs(10);

/// The owner of a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Payer {
    Main,
    Other,
    SmallQuota,
    NarrowScope,
    Restricted,
    /// The address of the suite, if a request carries no key.
    Address,
}

/// The known quotas of the target.
#[derive(Debug, Default)]
pub(in crate::runner) struct Quotas {
    known: Mutex<Known>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Known {
    /// The quotas that the last response of an operation was charged to.
    charged_to: HashMap<(Payer, &'static str), Vec<String>>,
    counts: HashMap<(Payer, String), Count>,
    /// Number of repeated cases, for which all others are held back, and the time until which they are.
    repeated: u32,
    held_back_until: Option<Instant>,
}

/// A request that is charged to quotas until its response arrives.
#[derive(Debug)]
pub(in crate::runner) struct Charge<'quotas> {
    quotas: &'quotas Quotas,
    payer: Option<Payer>,
    names: Vec<String>,
}

/// Holds back all but repeated cases until this is dropped.
#[derive(Debug)]
pub(in crate::runner) struct HeldBack<'quotas>(&'quotas Quotas);

impl Quotas {
    /// Waits until the target has room for `request`.
    pub(in crate::runner) async fn turn(&self, request: &Request, precedence: Precedence) -> Charge<'_> {
        let payer = payer(request);
        loop {
            let changed = self.changed.notified();
            match self.charge(payer, request, precedence) {
                Ok(names) => return Charge { quotas: self, payer, names },
                Err(free_at) => {
                    tokio::select! {
                        () = tokio::time::sleep_until(free_at) => {}
                        () = changed => {}
                    }
                }
            }
        }
    }

    /// Holds all other cases back and waits until the quotas have room for a whole case, so that it need not wait while it runs.
    pub(in crate::runner) async fn make_room(&self) -> HeldBack<'_> {
        let given_up_at = Instant::now() + MAX_WINDOW;
        {
            let mut known = self.lock();
            known.repeated += 1;
            known.held_back_until = Some(given_up_at + MAX_HOLD);
        }
        let held_back = HeldBack(self);
        loop {
            let changed = self.changed.notified();
            let now = Instant::now();
            let Some(free_at) = self.lock().roomy_at(now).filter(|_| now < given_up_at) else {
                self.lock().held_back_until = Some(now + MAX_HOLD);
                return held_back;
            };
            tokio::select! {
                () = tokio::time::sleep_until(free_at) => {}
                () = changed => {}
            }
        }
    }

    /// Charges a request to its quotas and names them, or returns the time at which they may have room.
    fn charge(&self, payer: Option<Payer>, request: &Request, precedence: Precedence) -> Result<Vec<String>, Instant> {
        let Some(payer) = payer else { return Ok(Vec::new()) };
        let (mut known, now) = (self.lock(), Instant::now());
        let names = known.names(payer, request);
        let is_hold = known.repeated > 0 && known.held_back_until.is_some_and(|until| now < until);
        let is_held_back = is_hold && precedence < Precedence::Repeated && !names.is_empty();
        let held_back_until = is_held_back.then_some(now + LOOK_AGAIN);
        let full = names.iter().filter_map(|name| known.counts.get_mut(&(payer, name.clone()))?.full_until(now)).max();
        if let Some(free_at) = held_back_until.max(full) {
            return Err(free_at);
        }
        for name in &names {
            if let Some(count) = known.counts.get_mut(&(payer, name.clone())) {
                count.unanswered += 1;
            }
        }
        Ok(names)
    }

    /// Returns the quotas of the key under test and of the suite's address, in the order of their names.
    pub(in crate::runner) fn announced(&self) -> Vec<Quota> {
        let known = self.lock();
        let is_told = |((payer, _), count): &(&(Payer, String), &Count)| {
            matches!(payer, Payer::Main | Payer::Address) && count.is_announced && count.window <= MAX_WINDOW
        };
        let counts = known.counts.iter().filter(is_told);
        let mut quotas: Vec<_> = counts
            .map(|((_, name), count)| Quota { name: name.clone(), requests: count.requests, window: count.window })
            .collect();
        quotas.sort_by(|one, other| one.name.cmp(&other.name));
        quotas.dedup();
        quotas
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn names(&self, payer: Payer, request: &Request) -> Vec<String> {
        self.charged_to.get(&(payer, operation(request))).cloned().unwrap_or_default()
    }

    fn learn(&mut self, payer: Payer, quota: &Quota) {
        let key = (payer, quota.name.clone());
        if quota.requests > MAX_COUNTED || (self.counts.len() >= MAX_QUOTAS && !self.counts.contains_key(&key)) {
            return;
        }
        let count = self.counts.entry(key).or_insert_with(|| Count::new(quota.requests, quota.window));
        (count.requests, count.window) = (quota.requests, quota.window);
    }

    /// Returns the time at which three quarters of each quota are free again, or `None` if they are free now.
    fn roomy_at(&mut self, now: Instant) -> Option<Instant> {
        let counts = self.counts.iter_mut().filter(|((payer, _), _)| matches!(payer, Payer::Main | Payer::Address));
        counts.filter_map(|(_, count)| count.roomy_at(now)).max()
    }
}

impl Drop for HeldBack<'_> {
    fn drop(&mut self) {
        self.0.lock().repeated -= 1;
        self.0.changed.notify_waiters();
    }
}

impl Charge<'_> {
    /// Learns from the response. `closed_for` is how long the target says that it refuses further requests.
    pub(in crate::runner) fn answered(self, exchange: &Exchange, closed_for: Option<Duration>) {
        let Some(payer) = self.payer else { return };
        let (mut known, now) = (self.quotas.lock(), Instant::now());
        for quota in policy::announced(exchange) {
            known.learn(payer, &quota);
        }
        let mut charged = policy::charged(exchange);
        charged.retain(|one| known.counts.contains_key(&(payer, one.name.clone())));
        if charged.is_empty() {
            // Nothing is announced. Then it may be a quota of the operation, whose size shows when it is spent.
            let name = format!("that of {}", operation(&exchange.request));
            known.counts.entry((payer, name.clone())).or_insert_with(Count::unannounced);
            charged.push(Charged { name, left: None });
        }
        // A refusal is due to the quotas with nothing left, if the response names them.
        let tells_why = charged.iter().any(|one| one.left == Some(0));
        for one in &charged {
            let Some(count) = known.counts.get_mut(&(payer, one.name.clone())) else { continue };
            match closed_for {
                _ if exchange.status != 429 => count.add_answered(now),
                Some(closed_for) if !tells_why || one.left == Some(0) => count.was_spent(now, closed_for),
                _ => {}
            }
        }
        let names = charged.into_iter().map(|one| one.name).collect();
        known.charged_to.insert((payer, operation(&exchange.request)), names);
    }
}

/// A request is no longer in flight, however it ends.
impl Drop for Charge<'_> {
    fn drop(&mut self) {
        if let Some(payer) = self.payer {
            let mut known = self.quotas.lock();
            for name in std::mem::take(&mut self.names) {
                if let Some(count) = known.counts.get_mut(&(payer, name)) {
                    count.unanswered = count.unanswered.saturating_sub(1);
                }
            }
        }
        self.quotas.changed.notify_waiters();
    }
}

/// Returns the quotas of the key under test and of the suite's address that an exchange was charged to.
pub(super) fn charged(exchange: &Exchange) -> Vec<String> {
    let is_ours = matches!(payer(&exchange.request), Some(Payer::Main | Payer::Address));
    if is_ours && exchange.status != 429 {
        policy::charged(exchange).into_iter().map(|one| one.name).collect()
    } else {
        Vec::new()
    }
}

/// Returns the owner of the quota that a request is charged to. A refusal under test, such as of a made-up key, has no owner.
fn payer(request: &Request) -> Option<Payer> {
    match &request.credential {
        _ if request.keep_429 => None,
        Credential::Main => Some(Payer::Main),
        Credential::Other => Some(Payer::Other),
        Credential::SmallQuota => Some(Payer::SmallQuota),
        Credential::NarrowScope => Some(Payer::NarrowScope),
        Credential::Restricted => Some(Payer::Restricted),
        Credential::Revoked | Credential::Expired => None,
        Credential::None => Some(Payer::Address),
        Credential::Literal(values) => values.iter().any(|value| value.contains("{key}")).then_some(Payer::Main),
    }
}

fn operation(request: &Request) -> &'static str {
    request.operation.unwrap_or_default()
}
