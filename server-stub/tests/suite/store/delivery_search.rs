//! Promises about searching for deliveries and redelivering many: against a model, with random deliveries and filters.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use contentgen_server_stub::domain::account::Account;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::delivery::{AttemptKind, DeliveryState, DeliverySummary, LoggedDelivery};
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::hook::{DeliveryStatus, EndpointStatus};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{DeliveryFilter, PageRequest, Redelivery};
use contentgen_server_stub::randomness::SystemRandomness;
use proptest::prelude::*;

use super::deliveries::{capture, claim, later, record};
use super::world::World;

const HOUR: Duration = Duration::from_hours(1);

#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// For each event, true if it is a test. A test goes only to the first endpoint.
    events: Vec<bool>,
    /// Results of the deliveries, in the order of their claims.
    fates: Vec<u8>,
    limit: u32,
    endpoint: Option<usize>,
    event_type: Option<EventType>,
    state: Option<DeliveryState>,
    since: Option<i64>,
    until: Option<i64>,
    is_paused: bool,
}

/// Returns filters of every kind.
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let states = prop::option::weighted(0.8, prop::sample::select(DeliveryState::ALL.to_vec()));
    cases_of(states.boxed(), 0.4)
}

/// Returns filters that mostly select failed deliveries and rarely restrict anything else.
pub(crate) fn failed_cases() -> impl Strategy<Value = Case> {
    let failed: Vec<_> = DeliveryState::ALL.into_iter().filter(|state| state.has_failed()).collect();
    cases_of(prop::option::weighted(0.9, prop::sample::select(failed)).boxed(), 0.1)
}

/// Returns filters of these states. Each other restriction is present with this probability.
fn cases_of(state: BoxedStrategy<Option<DeliveryState>>, restricted: f64) -> impl Strategy<Value = Case> {
    let events = prop::collection::vec(prop::bool::weighted(0.3), 0..35);
    let fates = prop::collection::vec(0..8_u8, 1..20);
    let types = prop::sample::select(vec![EventType::LeadCaptured, EventType::HookTest, EventType::JobFailed]);
    let filter = (
        prop::option::weighted(restricted, 0..3_usize),
        prop::option::weighted(restricted, types),
        state,
        prop::option::weighted(restricted / 2.0, 0..35_i64),
        prop::option::weighted(restricted / 2.0, 0..35_i64),
    );
    (events, fates, 1..7_u32, filter, any::<bool>()).prop_map(
        |(events, fates, limit, (endpoint, event_type, state, since, until), is_paused)| Case {
            events,
            fates,
            limit,
            endpoint,
            event_type,
            state,
            since,
            until,
            is_paused,
        },
    )
}

/// The test's own record of the deliveries.
struct Model {
    endpoints: [String; 3],
    start: Timestamp,
    /// Deliveries whose last attempt failed.
    failed: HashSet<String>,
    in_flight: HashSet<String>,
    /// Deliveries with a requested redelivery, and tests.
    unscheduled: HashSet<String>,
}

impl Model {
    async fn new(world: &World, case: &Case) -> Self {
        let stranger = Account { id: "acct_2".to_owned(), name: "second".to_owned(), created_at: world.now() };
        world.store.create_account(&stranger).await.unwrap();
        let first = world.hook(world.endpoint(&[EventType::LeadCaptured, EventType::JobFailed])).await;
        let second = world.hook(world.endpoint(&EventType::DEFAULT)).await;
        let mut foreign = world.endpoint(&EventType::DEFAULT);
        foreign.account_id.clone_from(&stranger.id);
        let foreign = world.hook(foreign).await;
        let mut model = Self {
            endpoints: [first, second, foreign],
            start: world.now(),
            failed: HashSet::new(),
            in_flight: HashSet::new(),
            unscheduled: HashSet::new(),
        };
        for (number, is_test) in case.events.iter().enumerate() {
            if *is_test {
                let of = usize::from(number % 5 == 0) * 2;
                model.send_test(world, of, if of == 2 { "acct_2" } else { &world.account_id }).await;
            } else {
                capture(world, 1).await;
            }
            // Several share a time, so the id must break the tie.
            world.advance(Duration::from_secs(u64::from(number % 3 != 0)));
        }
        model.meet_fates(world, &case.fates).await;
        model
    }

    async fn send_test(&mut self, world: &World, endpoint: usize, account_id: &str) {
        let event = Event::hook_test(id::new(Kind::Event, world.now(), &SystemRandomness), account_id, world.now());
        let sent = world.store.send_test(&self.endpoints[endpoint], &event, world.now()).await.unwrap();
        self.unscheduled.insert(sent.unwrap());
    }

    async fn meet_fates(&mut self, world: &World, fates: &[u8]) {
        let mut claimed = claim(world, 1000, 1000).await;
        claimed.sort_by(|one, other| one.id.cmp(&other.id));
        for (delivery, fate) in claimed.iter().zip(fates.iter().cycle()) {
            let id = delivery.id.clone();
            let decision = match fate {
                0 => {
                    world.store.release_deliveries([delivery.clone()].into(), world.now()).await.unwrap();
                    continue;
                }
                1 => {
                    self.in_flight.insert(id);
                    continue;
                }
                2 | 3 => AttemptDecision::Succeeded,
                4 => AttemptDecision::Exhausted,
                5 => AttemptDecision::Aborted,
                _ => later(world, HOUR),
            };
            record(world, delivery, decision).await;
            self.unscheduled.remove(&id);
            if decision != AttemptDecision::Succeeded {
                self.failed.insert(id.clone());
            }
            if matches!(fate, 3 | 7) {
                assert_eq!(world.store.redeliver(&id, world.now()).await.unwrap(), Redelivery::Queued);
                self.unscheduled.insert(id);
            }
        }
        self.send_some_again(world).await;
    }

    /// Makes failed deliveries due in an hour, and then claims every second due one.
    async fn send_some_again(&mut self, world: &World) {
        world.advance(HOUR);
        let mut claimed = claim(world, 1000, 1000).await;
        claimed.sort_by(|one, other| one.id.cmp(&other.id));
        for (number, delivery) in claimed.into_iter().enumerate() {
            if number % 2 == 0 || self.in_flight.contains(&delivery.id) {
                self.in_flight.insert(delivery.id);
            } else {
                world.store.release_deliveries([delivery].into(), world.now()).await.unwrap();
            }
        }
    }

    fn filter(&self, case: &Case) -> DeliveryFilter {
        let at = |second: i64| self.start.plus_millis(second * 1000);
        DeliveryFilter {
            endpoint_id: case.endpoint.map(|endpoint| self.endpoints[endpoint].clone()),
            event_type: case.event_type,
            state: case.state,
            since: case.since.map(at),
            until: case.until.map(at),
        }
    }

    fn is_in(&self, delivery: &LoggedDelivery, state: DeliveryState) -> bool {
        let is_failing = delivery.status == DeliveryStatus::Pending && self.failed.contains(&delivery.id);
        match state {
            DeliveryState::NotDelivered => {
                is_failing || matches!(delivery.status, DeliveryStatus::Failed | DeliveryStatus::Exhausted)
            }
            DeliveryState::Failing => is_failing,
            DeliveryState::Pending => delivery.status == DeliveryStatus::Pending,
            DeliveryState::Failed => delivery.status == DeliveryStatus::Failed,
            DeliveryState::Exhausted => delivery.status == DeliveryStatus::Exhausted,
            DeliveryState::Succeeded => delivery.status == DeliveryStatus::Succeeded,
        }
    }

    /// Returns the account's matching deliveries, newest first.
    async fn matching(&self, world: &World, filter: &DeliveryFilter) -> Vec<LoggedDelivery> {
        let mut all = Vec::new();
        for endpoint_id in &self.endpoints[..2] {
            let page = PageRequest { after: None, limit: 1000 };
            all.extend(world.store.list_deliveries(endpoint_id, &page).await.unwrap());
        }
        all.retain(|delivery| {
            filter.endpoint_id.as_ref().is_none_or(|id| *id == delivery.endpoint_id)
                && filter.event_type.is_none_or(|event_type| event_type == delivery.event_type)
                && filter.state.is_none_or(|state| self.is_in(delivery, state))
                && filter.since.is_none_or(|since| delivery.created_at >= since)
                && filter.until.is_none_or(|until| delivery.created_at < until)
        });
        all.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
        all
    }
}

/// Returns the rows of all pages.
async fn walk(world: &World, filter: &DeliveryFilter, limit: u32) -> Vec<DeliverySummary> {
    let (mut rows, mut after) = (Vec::new(), None);
    loop {
        let page = PageRequest { after, limit };
        let found = world.store.find_deliveries(&world.account_id, filter, &page).await.unwrap();
        assert!(found.rows.len() <= limit as usize);
        assert!(found.next != page.after || found.next.is_none(), "the walk does not go on");
        rows.extend(found.rows);
        after = found.next;
        if after.is_none() {
            return rows;
        }
    }
}

pub(crate) async fn a_walk_over_deliveries_equals_the_model(world: World, case: Case) {
    let model = Model::new(&world, &case).await;
    let filter = model.filter(&case);
    let walked = walk(&world, &filter, case.limit).await;
    let expected = model.matching(&world, &filter).await;
    assert_eq!(walked.iter().map(|row| row.delivery.clone()).collect::<Vec<_>>(), expected);
    for row in &walked {
        let id = &row.delivery.id;
        assert_eq!(row.is_in_flight, model.in_flight.contains(id));
        assert_eq!(row.next_kind != AttemptKind::Scheduled, model.unscheduled.contains(id));
        let attempts = world.store.list_attempts(id).await.unwrap();
        let last = attempts.last().map(|last| (last.started_at, last.response_status, last.error.clone()));
        let shown = row.last_attempt.clone();
        assert_eq!(shown.map(|shown| (shown.started_at, shown.response_status, shown.error)), last);
        let sent = world.store.find_sent(id).await.unwrap().unwrap();
        assert_eq!(&sent.summary, row);
        assert!(String::from_utf8_lossy(&sent.body).contains(&row.object_id));
    }
}

pub(crate) async fn what_is_older_than_where_one_endpoint_was_left_waits_for_a_later_page(world: World) {
    let busy = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let quiet = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    // The quiet endpoint's success is older than those of the busy one. Of the busy endpoint's deliveries, only the twelfth succeeded.
    let mut succeeded = Vec::new();
    for number in (0..=15).rev() {
        let event =
            Event::hook_test(id::new(Kind::Event, world.now(), &SystemRandomness), &world.account_id, world.now());
        let endpoint_id = if number == 15 { &quiet } else { &busy };
        let id = world.store.send_test(endpoint_id, &event, world.now()).await.unwrap().unwrap();
        let delivery = claim(&world, 1, 1).await.remove(0);
        let is_success = matches!(number, 11 | 15);
        let decision = if is_success { AttemptDecision::Succeeded } else { AttemptDecision::Exhausted };
        record(&world, &delivery, decision).await;
        if is_success {
            succeeded.insert(0, id);
        }
        world.advance(Duration::from_secs(1));
    }
    let filter = DeliveryFilter { state: Some(DeliveryState::Succeeded), ..DeliveryFilter::default() };
    let page = PageRequest { after: None, limit: 1 };
    let first = world.store.find_deliveries(&world.account_id, &filter, &page).await.unwrap();
    assert_eq!((first.rows.len(), first.next.is_some()), (0, true), "a page of one checks only a few rows");
    let walked = walk(&world, &filter, 1).await;
    assert_eq!(walked.into_iter().map(|row| row.delivery.id).collect::<Vec<_>>(), succeeded);
}

pub(crate) async fn a_redelivery_makes_due_exactly_what_failed_and_matches(world: World, case: Case) {
    let model = Model::new(&world, &case).await;
    let filter = model.filter(&case);
    if case.is_paused {
        world.store.set_hook_status(&model.endpoints[0], EndpointStatus::Paused, world.now()).await.unwrap();
    }
    let everything = DeliveryFilter::default();
    let before: HashMap<_, _> =
        walk(&world, &everything, 100).await.into_iter().map(|row| (row.delivery.id.clone(), row)).collect();
    let is_wanted = |delivery: &LoggedDelivery| {
        let is_busy = model.in_flight.contains(&delivery.id) || model.unscheduled.contains(&delivery.id);
        let is_paused = case.is_paused && delivery.endpoint_id == model.endpoints[0];
        case.state.is_some_and(DeliveryState::has_failed) && !is_busy && !is_paused
    };
    let mut wanted = model.matching(&world, &filter).await;
    wanted.retain(is_wanted);
    let wanted: HashSet<_> = wanted.into_iter().map(|delivery| delivery.id).collect();
    if case.state.is_some_and(DeliveryState::has_failed) {
        let counted = world.store.count_redeliverable(&world.account_id, &filter).await.unwrap();
        assert_eq!(counted, (wanted.len() as u64, false));
    }
    world.advance(Duration::from_secs(1));
    let (mut count, mut after) = (0, None);
    loop {
        let page = PageRequest { after, limit: case.limit };
        let batch = world.store.redeliver_matching(&world.account_id, &filter, &page, world.now()).await.unwrap();
        count += batch.count;
        after = batch.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(count, wanted.len() as u64);
    for row in walk(&world, &everything, 100).await {
        let id = &row.delivery.id;
        if wanted.contains(id) {
            let due = (row.delivery.status, row.delivery.next_attempt_at, row.next_kind);
            assert_eq!(due, (DeliveryStatus::Pending, Some(world.now()), AttemptKind::Manual));
        } else {
            assert_eq!(&row, &before[id]);
        }
    }
}

pub(crate) async fn what_is_due_and_in_flight_is_counted(world: World) {
    let first = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let second = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let count =
        async |endpoint: Option<&str>| world.store.count_due(&world.account_id, endpoint, world.now()).await.unwrap();
    assert_eq!(count(None).await, 0);
    capture(&world, 3).await;
    assert_eq!((count(None).await, count(Some(&first)).await, count(Some("hook_none")).await), (6, 3, 0));
    let claimed = claim(&world, 4, 2).await;
    assert_eq!((claimed.len(), count(None).await), (4, 6), "deliveries in flight count");
    for delivery in &claimed {
        record(&world, delivery, later(&world, HOUR)).await;
    }
    assert_eq!((count(None).await, count(Some(&second)).await), (2, 1), "a retry is due in an hour");
    world.advance(HOUR);
    assert_eq!(count(None).await, 6);
    assert_eq!(world.store.count_due("acct_none", None, world.now()).await.unwrap(), 0);
}

/// Inserts this number of deliveries to each of the account's endpoints. They are in this state, and due at `run_at`, if given.
pub(crate) async fn insert_deliveries(world: &World, count: u32, status: &str, run_at: Option<&str>) {
    capture(world, 1).await;
    let numbers =
        format!("WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})");
    let now = world.now().millis();
    world.execute(&format!(
        "{numbers} INSERT INTO events (id, account_id, website_id, type, object_id, created_at, body)
         SELECT 'evt_' || n, '{}', '{}', 'job.failed', 'job_' || n, {now}, (SELECT body FROM events LIMIT 1) FROM numbers",
        world.account_id, world.website_id
    ));
    world.execute(&format!(
        "{numbers} INSERT INTO deliveries (id, event_id, endpoint_id, attempts, created_at, status)
         SELECT 'dlv_' || hook_endpoints.id || '_' || n, 'evt_' || n, hook_endpoints.id, 1, {now} + n, '{status}'
         FROM numbers CROSS JOIN hook_endpoints"
    ));
    if let Some(run_at) = run_at {
        world.execute(&format!(
            "{numbers} INSERT INTO delivery_queue (delivery_id, endpoint_id, run_at, attempts)
             SELECT 'dlv_' || hook_endpoints.id || '_' || n, hook_endpoints.id, {run_at}, 1
             FROM numbers CROSS JOIN hook_endpoints"
        ));
    }
}

pub(crate) async fn a_count_of_what_can_be_sent_again_reads_a_bounded_number_of_deliveries(world: World) {
    for _ in 0..2 {
        world.hook(world.endpoint(&[EventType::LeadCaptured])).await;
    }
    insert_deliveries(&world, 10_005, "exhausted", None).await;
    let count = async |state, event_type| {
        let filter = DeliveryFilter { state: Some(state), event_type, ..DeliveryFilter::default() };
        world.store.count_redeliverable(&world.account_id, &filter).await.unwrap()
    };
    assert_eq!(count(DeliveryState::Exhausted, None).await, (20_000, true));
    assert_eq!(count(DeliveryState::Exhausted, Some(EventType::LeadCaptured)).await, (0, false));
    assert_eq!(count(DeliveryState::Exhausted, Some(EventType::JobFailed)).await, (20_000, true));
    assert_eq!(count(DeliveryState::Failed, None).await, (0, true));
    assert_eq!(count(DeliveryState::Failing, None).await, (0, false));
}
