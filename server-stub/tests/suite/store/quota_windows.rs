//! Promises about quota windows that processes share. Only PostgreSQL has them. The tests of the server's counter cover their use.

use std::collections::HashSet;
use std::time::Duration;

use contentgen_server_stub::domain::key::Quota;
use contentgen_server_stub::domain::store::{
    HeldQuotaLease, QUOTA_LEASE_DIVISOR, QuotaLease, QuotaLeaseRequest, QuotaSubject,
};
use contentgen_server_stub::storage::{self, Store};
use futures::future::join_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tokio::task::JoinSet;
use tokio_postgres::NoTls;

use super::postgres::{fresh, options};
use crate::waiting::{ended, until};

/// A window that is longer than any test.
const LONG: u32 = 3600;
/// More addresses than threads that lease.
const ADDRESSES: usize = 20;

pub(crate) async fn lease(store: &Store, key: &str, requests: u32, held: HeldQuotaLease) -> QuotaLease {
    lease_in(store, key, Quota { requests, window_seconds: LONG }, held).await
}

async fn lease_in(store: &Store, key: &str, quota: Quota, held: HeldQuotaLease) -> QuotaLease {
    let request = QuotaLeaseRequest { policy: "api", subject: QuotaSubject::Key(key.to_owned()), quota, held };
    store.shared_windows().unwrap().lease(&request).await.unwrap()
}

/// Returns the size of a lease when `left` requests are left.
fn batch(left: u32, held: u32) -> u32 {
    (left / QUOTA_LEASE_DIVISOR).max(1).saturating_sub(held).min(left)
}

/// Each process leases, and uses some of its lease, in any order.
#[test]
fn leases_of_all_processes_together_are_the_quota_and_each_is_small() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let Some((first, schema)) = fresh() else { return };
    let stores = [first, storage::open(schema.address(), &options()).unwrap()];
    let steps = prop::collection::vec((0..4_usize, 0..20_u32), 1..100);
    let config = Config { cases: 48, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&(1..300_u32, steps), |(requests, steps)| {
        runtime.block_on(async {
            let mut held = [HeldQuotaLease::default(); 4];
            let mut leased = 0;
            let key = format!("key_{requests}_{steps:?}");
            for (process, used) in steps {
                let got = lease(&stores[process % 2], &key, requests, held[process]).await;
                let granted = batch(requests - leased, held[process].requests);
                leased += granted;
                prop_assert_eq!((got.granted, got.leased), (granted, leased));
                prop_assert!(leased <= requests);
                let unused = held[process].requests + granted;
                prop_assert!(unused <= (requests / QUOTA_LEASE_DIVISOR).max(1), "{} are held", unused);
                held[process] = HeldQuotaLease { window: got.window, requests: unused.saturating_sub(used) };
            }
            Ok(())
        })
    });
    outcome.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leases_that_are_made_at_once_never_exceed_the_quota() {
    let Some((first, schema)) = fresh() else { return };
    let stores = [first, storage::open(schema.address(), &options()).unwrap()];
    for (round, requests) in [1, 40, 100].into_iter().enumerate() {
        let key = format!("key_{round}");
        let leases = (0..120).map(|number| lease(&stores[number % 2], &key, requests, HeldQuotaLease::default()));
        let leases = join_all(leases).await;
        assert_eq!(leases.iter().map(|lease| lease.granted).sum::<u32>(), requests);
        assert_eq!(leases.iter().map(|lease| lease.window).collect::<HashSet<_>>().len(), 1, "one window");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_ends_when_it_said_and_what_was_held_of_it_counts_no_more() {
    let Some((store, schema)) = fresh() else { return };
    let quota = Quota { requests: 1, window_seconds: LONG };
    let first = lease_in(&store, "key_1", quota, HeldQuotaLease::default()).await;
    assert_eq!((first.granted, first.leased), (1, 1));
    assert!(first.ends_in <= Duration::from_secs(LONG.into()));
    // Simulates that this time has passed for the database.
    schema.execute(&format!("UPDATE quota_windows SET ends_at = ends_at - {}", first.ends_in.as_millis()));
    let held = HeldQuotaLease { window: first.window, requests: 1 };
    let next = lease_in(&store, "key_1", quota, held).await;
    assert_eq!((next.granted, next.leased), (1, 1));
    assert!(next.window > first.window);
    // The clock was set back by an hour.
    schema.execute("UPDATE quota_windows SET ends_at = ends_at + 3600000");
    assert_eq!(lease_in(&store, "key_1", quota, HeldQuotaLease::default()).await.granted, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_policies_and_lengths_of_windows_are_counted_apart() {
    let Some((store, _schema)) = fresh() else { return };
    let windows = store.shared_windows().unwrap();
    let address = |text: &str| QuotaSubject::Address(text.to_owned().into());
    let key = || QuotaSubject::Key("key_1".to_owned());
    for (policy, subject, window_seconds) in [
        ("api", key(), LONG),
        ("generate", key(), LONG),
        ("api", key(), 2 * LONG),
        ("api", QuotaSubject::Key("key_2".to_owned()), LONG),
        ("capture", address("192.0.2.7"), LONG),
        ("capture", address("2001:db8::7"), LONG),
    ] {
        let quota = Quota { requests: 1, window_seconds };
        let request = QuotaLeaseRequest { policy, subject, quota, held: HeldQuotaLease::default() };
        let granted = [windows.lease(&request).await.unwrap().granted, windows.lease(&request).await.unwrap().granted];
        assert_eq!(granted, [1, 0], "{request:?}");
    }
}

/// A transaction locks the rows of many addresses, so that their leases wait as long as the test needs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_waits_for_no_address() {
    let Some((store, schema)) = fresh() else { return };
    let quota = Quota { requests: 5, window_seconds: LONG };
    let requests = (1..=ADDRESSES).map(|number| {
        let subject = QuotaSubject::Address(format!("192.0.2.{number}").into());
        QuotaLeaseRequest { policy: "capture", subject, quota, held: HeldQuotaLease::default() }
    });
    let requests: Vec<_> = requests.collect();
    let windows = store.shared_windows().unwrap();
    for request in &requests {
        windows.lease(request).await.unwrap();
    }
    let (client, connection) = tokio_postgres::connect(schema.address(), NoTls).await.unwrap();
    let driving = JoinSet::from_iter([async move { drop(connection.await) }]);
    client.batch_execute("BEGIN; SELECT 1 FROM quota_windows FOR UPDATE").await.unwrap();
    let mut addresses = std::pin::pin!(join_all(requests.iter().map(|request| windows.lease(request))));
    assert!(futures::poll!(&mut addresses).is_pending(), "all of them are asked for");
    let leasing = lease(&store, "key_1", 5, HeldQuotaLease::default());
    let key = ended("the key has its lease, which waits for no address", leasing).await;
    assert_eq!(key.leased, 1);
    client.batch_execute("COMMIT").await.unwrap();
    assert!(addresses.await.iter().all(|lease| lease.as_ref().is_ok_and(|lease| lease.leased == 2)));
    drop(driving);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lower_quota_leases_nothing_more_and_a_higher_one_the_difference() {
    let Some((store, _schema)) = fresh() else { return };
    for leased in 1..=5 {
        assert_eq!(lease(&store, "key_1", 5, HeldQuotaLease::default()).await.leased, leased);
    }
    assert_eq!(lease(&store, "key_1", 3, HeldQuotaLease::default()).await.granted, 0);
    let raised = lease(&store, "key_1", 6, HeldQuotaLease::default()).await;
    assert_eq!((raised.granted, raised.leased), (1, 6));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_that_have_ended_are_deleted_as_others_begin() {
    let Some((store, schema)) = fresh() else { return };
    schema.execute(
        "INSERT INTO quota_windows (policy, subject, length, ends_at, leased, granted)
         SELECT 'api', 'key_old_' || number, 60000, 1000 + number, 1, 1 FROM generate_series(1, 20) AS number",
    );
    for number in 0..10 {
        lease(&store, &format!("key_new_{number}"), 5, HeldQuotaLease::default()).await;
    }
    let remaining = || schema.query_number("SELECT count(*) FROM quota_windows WHERE subject LIKE 'key_old_%'");
    until("no old window is left", async || remaining() == 0).await;
    assert_eq!(schema.query_number("SELECT count(*) FROM quota_windows"), 10);
}

#[test]
fn one_process_that_serves_a_file_shares_no_windows() {
    let (store, _folder) = super::sqlite::fresh().unwrap();
    assert!(store.shared_windows().is_none());
}
