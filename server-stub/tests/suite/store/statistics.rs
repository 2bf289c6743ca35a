//! Promises about the numbers of the overview: daily counts against a model, and problems that need attention.

use std::collections::BTreeMap;
use std::time::Duration;

use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::day::Day;
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::key::{ApiKey, ApiScope, KeyQuotas, Secret, SecretHash};
use contentgen_server_stub::domain::store::{CountedDays, DayCounts};
use contentgen_server_stub::domain::time_zone::TimeZone;
use contentgen_server_stub::randomness::SystemRandomness;
use proptest::prelude::*;

use super::world::World;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    Article,
    Lead,
    Pending,
    Succeeded,
    Failed,
    Exhausted,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    /// Adds a row on that day, counted from the first one.
    Add(Row, i64),
    /// Requests the days from the first number to the second. Days before the third number are over.
    Ask(i64, i64, i64),
}

pub(crate) fn cases() -> impl Strategy<Value = Vec<Step>> {
    use Row::{Article, Exhausted, Failed, Lead, Pending, Succeeded};
    let row = prop::sample::select(vec![Article, Lead, Pending, Succeeded, Failed, Exhausted]);
    let ask = (0..10_i64, 0..10_i64, 0..12_i64)
        .prop_map(|(one, other, open_from)| Step::Ask(one.min(other), one.max(other), open_from));
    let step = prop_oneof![4 => (row, 0..10_i64).prop_map(|(row, day)| Step::Add(row, day)), 1 => ask];
    prop::collection::vec(step, 0..40)
}

/// Days that were over at a request keep their counts in that time zone. Other days are counted each time.
pub(crate) async fn counts_of_days_equal_the_model(world: World, steps: Vec<Step>) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    // Clocks in New Zealand change on the sixth of these days.
    let zones = ["Pacific/Auckland", "UTC"].map(|name| TimeZone::parse(name).unwrap());
    let (mut rows, mut kept) = (Vec::new(), BTreeMap::<(&str, Day), DayCounts>::new());
    for (number, step) in steps.into_iter().enumerate() {
        let zone = zones[number / 2 % 2];
        let first = zone.day_of(world.now());
        match step {
            Step::Add(row, day) => {
                let day = first.plus(day);
                // The first and the last millisecond belong to the day.
                let time =
                    if number % 2 == 0 { zone.start_of(day) } else { zone.start_of(day.plus(1)).plus_millis(-1) };
                add(&world, row, time.millis(), number).await;
                rows.push((row, time));
            }
            Step::Ask(from, to, open_from) => {
                let days = CountedDays {
                    zone,
                    first: first.plus(from),
                    last: first.plus(to),
                    open_from: first.plus(open_from.min(to + 1)),
                };
                let expected: Vec<_> = (from..=to)
                    .map(|day| first.plus(day))
                    .map(|day| {
                        let counted = counted(&rows, zone, day);
                        let is_over = day < days.open_from;
                        if is_over { *kept.entry((zone.name(), day)).or_insert(counted) } else { counted }
                    })
                    .collect();
                assert_eq!(world.store.daily_counts(&world.account_id, days).await.unwrap(), expected);
                assert!(
                    world
                        .store
                        .daily_counts("acct_other", CountedDays { open_from: days.first, ..days })
                        .await
                        .unwrap()
                        .iter()
                        .all(|counts| *counts == none(counts.day))
                );
            }
        }
    }
}

fn counted(rows: &[(Row, Timestamp)], zone: TimeZone, day: Day) -> DayCounts {
    let mut counts = none(day);
    for (row, _) in rows.iter().filter(|(_, time)| zone.day_of(*time) == day) {
        match row {
            Row::Article => counts.articles += 1,
            Row::Lead => counts.leads += 1,
            Row::Pending => {}
            Row::Succeeded => counts.deliveries += 1,
            Row::Failed | Row::Exhausted => {
                counts.deliveries += 1;
                counts.failures += 1;
            }
        }
    }
    counts
}

const fn none(day: Day) -> DayCounts {
    DayCounts { day, articles: 0, leads: 0, deliveries: 0, failures: 0 }
}

async fn add(world: &World, row: Row, millis: i64, number: usize) {
    let (account_id, website_id) = (&world.account_id, &world.website_id);
    match row {
        Row::Article => world.execute(&format!(
            "INSERT INTO articles (id, account_id, website_id, status, slug, created_at, updated_at, etag, search_text, summary, body)
             VALUES ('art_{number}', '{account_id}', '{website_id}', 'draft', 'a-{number}', {millis}, {millis}, 'e', '', '{{}}', '{{}}')"
        )),
        Row::Lead => {
            let (mut lead, event) = world.lead(None);
            lead.captured_at = Timestamp::from_millis(millis);
            world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
            // Only the lead counts here.
            world.execute(&format!("DELETE FROM deliveries WHERE event_id = '{}'", event.id));
        }
        Row::Pending | Row::Succeeded | Row::Failed | Row::Exhausted => {
            let event = Event::hook_test(id::new(Kind::Event, world.now(), &SystemRandomness), account_id, world.now());
            let endpoints = world.store.list_hook_endpoints(account_id).await.unwrap();
            let delivery = world.store.send_test(&endpoints[0].endpoint.id, &event, world.now()).await.unwrap().unwrap();
            let ended = match row {
                Row::Succeeded => Some("succeeded"),
                Row::Failed => Some("failed"),
                Row::Exhausted => Some("exhausted"),
                _ => None,
            };
            world.execute(&format!("UPDATE deliveries SET created_at = {millis} WHERE id = '{delivery}'"));
            if let Some(status) = ended {
                world.execute(&format!("DELETE FROM delivery_queue WHERE delivery_id = '{delivery}'"));
                world.execute(&format!("UPDATE deliveries SET status = '{status}' WHERE id = '{delivery}'"));
            }
        }
    }
}

pub(crate) async fn what_is_kept_of_a_day_outlives_what_was_counted(world: World) {
    let (lead, event) = world.lead(Some("someone@example.org"));
    world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    let zone = TimeZone::or_utc("UTC");
    let day = zone.day_of(world.now());
    let over = CountedDays { zone, first: day, last: day, open_from: day.plus(1) };
    let open = CountedDays { open_from: day, ..over };
    let leads = async |days| world.store.daily_counts(&world.account_id, days).await.unwrap()[0].leads;
    assert_eq!((leads(open).await, leads(over).await), (1, 1));
    world.store.erase_lead(&lead.id).await.unwrap();
    assert_eq!((leads(open).await, leads(over).await), (0, 1), "a stored count contains no personal data");
}

pub(crate) async fn first_steps_are_told_as_they_are_taken(world: World) {
    let steps = async || {
        let steps = world.store.first_steps(&world.account_id).await.unwrap();
        [steps.has_website, steps.has_key, steps.has_article, steps.has_hook]
    };
    assert_eq!(steps().await, [true, false, false, false]);
    world.store.create_key(&key(&world, "soon", Some(5))).await.unwrap();
    assert_eq!(steps().await, [true, true, false, false]);
    add(&world, Row::Article, world.now().millis(), 1).await;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    assert_eq!(steps().await, [true; 4]);
    let other = world.store.first_steps("acct_other").await.unwrap();
    assert!(!other.has_website && !other.has_key && !other.has_article && !other.has_hook);
}

pub(crate) async fn only_live_keys_that_expire_in_time_are_told(world: World) {
    for (name, days) in
        [("later", Some(15)), ("second", Some(14)), ("never", None), ("first", Some(1)), ("over", Some(0))]
    {
        world.store.create_key(&key(&world, name, days)).await.unwrap();
    }
    let mut revoked = key(&world, "revoked", Some(3));
    revoked.revoked_at = Some(world.now());
    world.store.create_key(&revoked).await.unwrap();
    let until = world.now().plus(Duration::from_hours(14 * 24));
    let keys = world.store.expiring_keys(&world.account_id, world.now(), until).await.unwrap();
    assert_eq!(keys.iter().map(|key| key.name.as_str()).collect::<Vec<_>>(), ["first", "second"]);
    assert!(world.store.expiring_keys("acct_other", world.now(), until).await.unwrap().is_empty());
}

pub(crate) async fn a_paused_website_with_jobs_that_wait_is_told(world: World) {
    world.queue(world.submission("one")).await;
    world.queue(world.submission("two")).await;
    let stalled = async || world.store.stalled_websites(&world.account_id).await.unwrap();
    assert!(stalled().await.is_empty());
    assert!(world.store.set_website_status(&world.website_id, WebsiteStatus::Paused, world.now()).await.unwrap());
    let found = stalled().await;
    assert_eq!((found.len(), &found[0].id, found[0].unfinished), (1, &world.website_id, 2));
    assert!(world.store.stalled_websites("acct_other").await.unwrap().is_empty());
}

fn key(world: &World, name: &str, days: Option<i64>) -> ApiKey {
    let secret = Secret::generate(&SystemRandomness);
    ApiKey {
        id: id::new(Kind::ApiKey, world.now(), &SystemRandomness),
        account_id: world.account_id.clone(),
        name: name.to_owned(),
        secret_hash: SecretHash::of(secret.reveal()),
        last4: secret.last4(),
        scopes: ApiScope::ALL.to_vec(),
        website_ids: None,
        quotas: KeyQuotas::default(),
        created_at: world.now(),
        expires_at: days.map(|days| world.now().plus_millis(days * 86_400_000)),
        revoked_at: None,
        last_used_at: None,
    }
}
