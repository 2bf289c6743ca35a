//! The target's quotas, so that no request is sent that would be refused.
//!
//! Which quota a request is charged to, and how large it is, is learned from `RateLimit-Policy` in the answers
//! (draft-ietf-httpapi-ratelimit-headers-11). Requests are counted here: at most as many answers in one window as the quota allows
//! is right for a target that counts by fixed windows, by sliding ones or with a bucket. A target that announces nothing is not
//! held back before it answers 429.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sfv::{List, ListEntry, Parser};
use tokio::sync::Notify;

use crate::requirements::{Credential, Exchange, Precedence, Request};

/// The largest quota that is counted: nobody reaches a larger one within its window.
const MAX_COUNTED: u64 = 100_000;
/// Answers that are remembered of a quota whose size is not known.
const MAX_REMEMBERED: u64 = 10_000;
/// Longest window that is waited for: who has to wait longer for a request is told 429.
const MAX_WINDOW: Duration = Duration::from_secs(65);
/// Most quotas that are kept: a target may announce another one in each answer.
pub(super) const MAX_QUOTAS: usize = 100;
/// How long a request that a repeated case goes before waits until it looks again; it is woken when something changes.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// Answers take time to come and clocks differ: a request is sent so much after its window.
const MARGIN: Duration = Duration::from_millis(50);

/// A quota that the target announces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quota {
    /// Its name, such as `generate`.
    pub name: String,
    /// Requests in one window.
    pub requests: u64,
    /// How long a window is.
    pub window: Duration,
}

impl Quota {
    /// How long so many requests take.
    pub(super) fn time_for(&self, requests: f64) -> Duration {
        let allowed = f64::from(u32::try_from(self.requests).unwrap_or(u32::MAX).max(1));
        self.window.mul_f64(requests / allowed)
    }
}

/// Whose quota it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Payer {
    Main,
    Other,
    SmallQuota,
    NarrowScope,
    /// The address of the suite, where a request carries no key.
    Address,
}

/// What is known of the target's quotas.
#[derive(Debug, Default)]
pub(super) struct Quotas {
    known: Mutex<Known>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Known {
    /// The quotas that requests of an operation were charged to when they were last answered.
    charged_to: HashMap<(Payer, &'static str), Vec<String>>,
    counts: HashMap<(Payer, String), Count>,
    /// Repeated cases, for which all others are held back.
    repeated: u32,
}

/// The requests that are charged to one quota.
#[derive(Debug)]
struct Count {
    requests: u64,
    window: Duration,
    /// Whether the target tells how large it is.
    is_announced: bool,
    /// Sent and not answered yet.
    unanswered: u64,
    /// When those of the last window were answered.
    answered: VecDeque<Instant>,
    /// The target refuses everything until then.
    closed_until: Option<Instant>,
}

/// A request that is charged to quotas until it is answered.
#[derive(Debug)]
pub(super) struct Charge<'quotas> {
    quotas: &'quotas Quotas,
    payer: Option<Payer>,
    names: Vec<String>,
}

/// All but repeated cases are held back until this is dropped.
#[derive(Debug)]
pub(super) struct HeldBack<'quotas>(&'quotas Quotas);

impl Quotas {
    /// Waits until the target will have room for `request`.
    pub(super) async fn turn(&self, request: &Request, precedence: Precedence) -> Charge<'_> {
        let payer = payer(request);
        loop {
            let changed = self.changed.notified();
            match self.charge(payer, request, precedence) {
                Ok(names) => return Charge { quotas: self, payer, names },
                Err(free_at) => {
                    tokio::select! {
                        () = tokio::time::sleep_until(free_at.into()) => {}
                        () = changed => {}
                    }
                }
            }
        }
    }

    /// Holds everything else back and waits until the quotas have room for a whole case, so that it is not held up while it runs.
    pub(super) async fn make_room(&self) -> HeldBack<'_> {
        self.lock().repeated += 1;
        let held_back = HeldBack(self);
        let given_up_at = Instant::now() + MAX_WINDOW;
        loop {
            let changed = self.changed.notified();
            let Some(free_at) = self.lock().roomy_at(Instant::now()).filter(|_| Instant::now() < given_up_at) else {
                return held_back;
            };
            tokio::select! {
                () = tokio::time::sleep_until(free_at.into()) => {}
                () = changed => {}
            }
        }
    }

    /// Charges a request to its quotas and names them; or tells when they may have room.
    fn charge(&self, payer: Option<Payer>, request: &Request, precedence: Precedence) -> Result<Vec<String>, Instant> {
        let Some(payer) = payer else { return Ok(Vec::new()) };
        let (mut known, now) = (self.lock(), Instant::now());
        let names = known.names(payer, request);
        let is_held_back = known.repeated > 0 && precedence < Precedence::Repeated && !names.is_empty();
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

    /// The quotas of the key under test and of the suite's address, in the order of their names.
    pub(super) fn announced(&self) -> Vec<Quota> {
        let known = self.lock();
        let is_told = |((payer, _), count): &(&(Payer, String), &Count)| {
            matches!(payer, Payer::Main | Payer::Address) && count.is_announced
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

    /// When three quarters of each quota are there again, unless they are.
    fn roomy_at(&mut self, now: Instant) -> Option<Instant> {
        let counts = self.counts.iter_mut().filter(|((payer, _), _)| matches!(payer, Payer::Main | Payer::Address));
        counts.filter_map(|(_, count)| count.roomy_at(now)).max()
    }
}

impl Count {
    fn new(requests: u64, window: Duration) -> Self {
        let (is_announced, answered) = (true, VecDeque::new());
        Self { requests, window, is_announced, unanswered: 0, answered, closed_until: None }
    }

    /// A quota that nothing is known of but when it is spent.
    fn unannounced() -> Self {
        Self { is_announced: false, ..Self::new(u64::MAX, MAX_WINDOW) }
    }

    /// Learns from a 429 what was not announced: one more than were answered in a window is too many.
    fn was_spent(&mut self, now: Instant, closed_for: Duration) {
        let longest = if self.requests == u64::MAX { Duration::ZERO } else { self.window };
        self.window = longest.max(closed_for).clamp(Duration::from_secs(1), MAX_WINDOW);
        let in_window = self.answered.iter().filter(|answered| **answered + self.window > now).count();
        self.requests = u64::try_from(in_window).unwrap_or(u64::MAX).max(1);
        self.closed_until = Some(now + closed_for);
    }

    fn add_answered(&mut self, now: Instant) {
        self.answered.push_back(now);
        if !self.is_announced && self.answered.len() as u64 >= self.requests {
            // Perhaps it is larger than it seemed: somebody else may have used a part of it.
            self.requests = self.requests.saturating_add(1);
        }
        // Requests that were not foreseen must not make the list longer than what it counts.
        while self.answered.len() as u64 > self.requests.min(MAX_REMEMBERED) {
            self.answered.pop_front();
        }
    }

    /// When no more than a quarter of it will be used, unless that is so.
    fn roomy_at(&mut self, now: Instant) -> Option<Instant> {
        let full_until = self.full_until(now);
        let most = usize::try_from(self.requests / 4).unwrap_or(usize::MAX);
        let too_many = self.answered.len().checked_sub(most + 1).filter(|_| self.window <= MAX_WINDOW)?;
        let enough_gone = self.answered.get(too_many).map(|answered| *answered + self.window + MARGIN);
        full_until.max(enough_gone)
    }

    /// Until when there is no room for a request.
    fn full_until(&mut self, now: Instant) -> Option<Instant> {
        while self.answered.front().is_some_and(|answered| *answered + self.window + MARGIN <= now) {
            self.answered.pop_front();
        }
        if let Some(closed_until) = self.closed_until.filter(|closed_until| *closed_until > now) {
            return Some(closed_until);
        }
        if self.window > MAX_WINDOW || self.unanswered.saturating_add(self.answered.len() as u64) < self.requests {
            return None;
        }
        // Where all of it is on its way, one of them is answered soon, which wakes whoever waits.
        Some(self.answered.front().map_or(now + self.window, |answered| *answered + self.window + MARGIN))
    }
}

impl Drop for HeldBack<'_> {
    fn drop(&mut self) {
        self.0.lock().repeated -= 1;
        self.0.changed.notify_waiters();
    }
}

impl Charge<'_> {
    /// Learns from the answer; `closed_for` is how long the target says that it refuses further requests.
    pub(super) fn answered(self, exchange: &Exchange, closed_for: Option<Duration>) {
        let Some(payer) = self.payer else { return };
        let (mut known, now) = (self.quotas.lock(), Instant::now());
        let mut charged = names(exchange, "ratelimit");
        if charged.is_empty() {
            // Nothing is announced: then it may be one of the operation's own, whose size shows when it is spent.
            let name = format!("that of {}", operation(&exchange.request));
            let count = known.counts.entry((payer, name.clone())).or_insert_with(Count::unannounced);
            match closed_for.filter(|_| exchange.status == 429) {
                Some(closed_for) => count.was_spent(now, closed_for),
                None => count.add_answered(now),
            }
            charged.push(name);
        }
        for Quota { name, requests, window } in policies(exchange) {
            let is_new = !known.counts.contains_key(&(payer, name.clone()));
            if requests > MAX_COUNTED || (is_new && known.counts.len() >= MAX_QUOTAS) {
                continue;
            }
            let count = known.counts.entry((payer, name.clone())).or_insert_with(|| Count::new(requests, window));
            (count.requests, count.window) = (requests.max(1), window);
            if !charged.contains(&name) {
                continue;
            }
            if exchange.status == 429 {
                count.closed_until = closed_for.map(|closed_for| now + closed_for);
            } else {
                count.add_answered(now);
            }
        }
        if !charged.is_empty() {
            let charged =
                charged.into_iter().filter(|name| known.counts.contains_key(&(payer, name.clone()))).collect();
            known.charged_to.insert((payer, operation(&exchange.request)), charged);
        }
    }
}

/// However it ends, the request is no longer on its way.
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

/// The quotas of the key under test and of the suite's address that an exchange was charged to.
pub(super) fn charged(exchange: &Exchange) -> Vec<String> {
    let is_ours = matches!(payer(&exchange.request), Some(Payer::Main | Payer::Address));
    if is_ours && exchange.status != 429 { names(exchange, "ratelimit") } else { Vec::new() }
}

/// Whose quota a request is charged to. A refusal that is looked at, as with a made-up key, is nobody's.
fn payer(request: &Request) -> Option<Payer> {
    match &request.credential {
        _ if request.keep_429 => None,
        Credential::Main => Some(Payer::Main),
        Credential::Other => Some(Payer::Other),
        Credential::SmallQuota => Some(Payer::SmallQuota),
        Credential::NarrowScope => Some(Payer::NarrowScope),
        Credential::None => Some(Payer::Address),
        Credential::Literal(values) => values.iter().any(|value| value.contains("{key}")).then_some(Payer::Main),
    }
}

fn operation(request: &Request) -> &'static str {
    request.operation.unwrap_or_default()
}

/// The quotas that `RateLimit-Policy` announces.
fn policies(exchange: &Exchange) -> Vec<Quota> {
    let number = |item: &sfv::Item, name: &str| {
        item.params.get(name)?.as_integer().and_then(|number| u64::try_from(number).ok())
    };
    let quota = |item: sfv::Item| {
        let (requests, window) = (number(&item, "q")?, number(&item, "w")?);
        Some(Quota { name: item_name(&item)?, requests, window: Duration::from_secs(window.max(1)) })
    };
    items(exchange, "ratelimit-policy").into_iter().filter_map(quota).collect()
}

/// The names of the quotas that a header tells of.
fn names(exchange: &Exchange, header: &str) -> Vec<String> {
    items(exchange, header).iter().filter_map(item_name).collect()
}

fn item_name(item: &sfv::Item) -> Option<String> {
    item.bare_item.as_string().map(|name| name.as_str().to_owned())
}

fn items(exchange: &Exchange, header: &str) -> Vec<sfv::Item> {
    let lines: Vec<_> = exchange.headers.get_all(header).iter().map(http::HeaderValue::as_bytes).collect();
    let list = Parser::new(&lines.join(&b", "[..])).parse::<List>().unwrap_or_default();
    let item = |entry| match entry {
        ListEntry::Item(item) => Some(item),
        ListEntry::InnerList(_) => None,
    };
    list.into_iter().filter_map(item).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// How a target counts; all of them keep to what `RateLimit-Policy` says.
    #[derive(Debug, Clone, Copy)]
    enum Counting {
        Fixed { phase: u64 },
        Sliding,
        Bucket,
    }

    /// Whether a target that counts so takes every request that arrived at these milliseconds.
    fn takes_all(counting: Counting, requests: u64, window: u64, arrivals: &[u64]) -> bool {
        let allowed = usize::try_from(requests).unwrap();
        match counting {
            Counting::Fixed { phase } => {
                let in_window = |at: &u64| (at + phase) / window;
                arrivals.chunk_by(|one, next| in_window(one) == in_window(next)).all(|chunk| chunk.len() <= allowed)
            }
            Counting::Sliding => arrivals.windows(allowed + 1).all(|some| some[allowed] - some[0] >= window),
            Counting::Bucket => {
                // What is in the bucket, in parts of a request: a window's milliseconds make one.
                let (mut left, mut last) = (requests * window, 0);
                arrivals.iter().all(|at| {
                    left = (left + (at - last) * requests).min(requests * window);
                    last = *at;
                    left >= window && {
                        left -= window;
                        true
                    }
                })
            }
        }
    }

    fn counting() -> impl Strategy<Value = Counting> {
        prop_oneof![
            (0_u64..10_000).prop_map(|phase| Counting::Fixed { phase }),
            Just(Counting::Sliding),
            Just(Counting::Bucket)
        ]
    }

    proptest! {
        /// Whoever sends as many at a time as there is room for, and as soon as there is room, is never refused.
        #[test]
        fn what_is_sent_when_there_is_room_is_taken(
            counting in counting(),
            requests in 1_u64..8,
            window in 500_u64..5_000,
            // For each request how long it is on its way there, and its answer on its way back.
            ways in prop::collection::vec((0_u64..400, 0_u64..400), 1..60),
        ) {
            let begin = Instant::now();
            let at = |millis| begin + Duration::from_millis(millis);
            let mut count = Count::new(requests, Duration::from_millis(window));
            let (mut now, mut on_their_way, mut arrivals) = (0, Vec::new(), Vec::new());
            for (there, back) in ways {
                // Answers come in, and time goes by, until there is room.
                loop {
                    on_their_way.retain(|answered: &u64| {
                        if *answered <= now {
                            count.unanswered -= 1;
                            count.add_answered(at(*answered));
                        }
                        *answered > now
                    });
                    match count.full_until(at(now)) {
                        None => break,
                        Some(_) => now += 1,
                    }
                }
                count.unanswered += 1;
                arrivals.push(now + there);
                on_their_way.push(now + there + back);
            }
            arrivals.sort_unstable();
            prop_assert!(takes_all(counting, requests, window, &arrivals), "{arrivals:?}");
        }
    }

    #[test]
    fn what_is_not_announced_is_learned_from_the_first_refusal() {
        let (begin, second) = (Instant::now(), Duration::from_secs(1));
        let mut count = Count::unannounced();
        for _ in 0..10 {
            assert_eq!(count.full_until(begin), None);
            count.add_answered(begin);
        }
        count.was_spent(begin + second, second * 40);
        assert_eq!(count.full_until(begin + second), Some(begin + second * 41));
        let reopened = begin + second * 42;
        for _ in 0..10 {
            assert_eq!(count.full_until(reopened), None);
            count.unanswered += 1;
        }
        assert!(count.full_until(reopened).is_some(), "not all at once");
        count.unanswered -= 10;
        (0..10).for_each(|_| count.add_answered(reopened));
        assert_eq!(count.full_until(reopened), None, "one more is tried");
    }

    #[test]
    fn a_window_that_nobody_waits_for_holds_nothing_up() {
        let mut count = Count::new(1, Duration::from_hours(1));
        count.add_answered(Instant::now());
        assert_eq!(count.full_until(Instant::now()), None);
    }
}
