//! The promises of `store` on PostgreSQL, and promises of only a shared database. The tests use the server at
//! `CONTENTGEN_TEST_POSTGRES_URL`, each in a separate schema or database. Without it they are skipped with a message.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::delivery::DeliveryState;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::publishing_target::PublishingTarget;
use contentgen_server_stub::domain::retention::RecordKind;
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::sign_in::{AttemptSubject, FAILURE_MEMORY};
use contentgen_server_stub::domain::store::{
    ClaimedJob, DeliveryFilter, HeldQuotaLease, JobFailure, LeaseOutcome, PageRequest, PurgedBatch, Redelivery,
    SessionOpening, Submitted, WebsiteFilter,
};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::{self, MIN_CONNECTIONS, Options, SecretKey, SecretKeySource, Store};
use futures::FutureExt as _;
use futures::future::{BoxFuture, join_all};
use tokio::task::JoinSet;
use tokio_postgres::NoTls;

use super::announcements::{Processes, every_change_is_announced, take};
use super::deliveries::{capture, claim, record_all};
use super::quota_windows::lease;
use super::targets::{directory, write};
use super::users::{added, opening};
use super::world::{LEASE, World};
use crate::postgres::{OwnDatabase, Schema};
use crate::waiting::{ended, until};

pub(crate) fn options() -> Options {
    let key = SecretKey::parse("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").unwrap();
    Options { secret_key: Some(SecretKeySource::Given(key)), ..Options::new(Arc::new(SystemRandomness)) }
}

/// Opens a store in a new schema.
pub(crate) fn fresh() -> Option<(Store, Schema)> {
    let schema = Schema::new()?;
    Some((storage::open(schema.address(), &options()).unwrap(), schema))
}

/// Opens a store for each case of a test, all in one schema, which is emptied before each. Creating a schema takes longer than most cases.
pub(crate) fn for_cases() -> Option<impl Fn() -> (Store, Arc<Schema>)> {
    let schema = Arc::new(Schema::new()?);
    Some(move || {
        schema.delete_records();
        (storage::open(schema.address(), &options()).unwrap(), Arc::clone(&schema))
    })
}

super::promises::promises!(crate::store::postgres::fresh, for_cases);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_claim_at_once_never_take_the_same_work() {
    let Some((first, schema)) = fresh() else { return };
    let second = storage::open(schema.address(), &options()).unwrap();
    super::fairness::no_work_is_claimed_twice(&World::new(first).await.on(schema), &second).await;
}

/// Runs the calls while another transaction holds the locks of `sql`. Each call begins when all earlier ones wait for a
/// lock or have ended. The other transaction is committed when all calls wait or have ended. Returns the outcomes in
/// the order of the calls.
async fn beside_a_transaction<T: Send + 'static>(
    database: &OwnDatabase,
    sql: &str,
    calls: Vec<BoxFuture<'static, T>>,
) -> Vec<T> {
    let (blocking, connection) = tokio_postgres::connect(database.address(), NoTls).await.unwrap();
    let mut connections = JoinSet::new();
    connections.spawn(async move { connection.await.unwrap() });
    blocking.batch_execute(&format!("BEGIN; {sql}")).await.unwrap();
    let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let (mut tasks, mut outcomes) = (JoinSet::new(), BTreeMap::new());
    for (number, call) in calls.into_iter().enumerate() {
        tasks.spawn(async move { (number, call.await) });
        until("all calls wait for a lock or have ended", async || {
            while let Some(ended) = tasks.try_join_next() {
                outcomes.extend([ended.unwrap()]);
            }
            // Otherwise a transaction sees the same activity each time.
            blocking.batch_execute("SELECT pg_stat_clear_snapshot()").await.unwrap();
            let waiting: i64 = blocking.query_one(waiting, &[]).await.unwrap().get(0);
            usize::try_from(waiting).unwrap() == tasks.len()
        })
        .await;
    }
    blocking.batch_execute("COMMIT").await.unwrap();
    outcomes.extend(tasks.join_all().await);
    outcomes.into_values().collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_that_stays_open_is_seen_with_its_age() {
    let Some(database) = OwnDatabase::new() else { return };
    let store = storage::open(database.address(), &options()).unwrap();
    let (other, connection) = tokio_postgres::connect(database.address(), NoTls).await.unwrap();
    let mut connections = JoinSet::new();
    connections.spawn(async move { connection.await.unwrap() });
    other.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1").await.unwrap();
    let age = async || store.oldest_transaction_age().await.unwrap();
    until("it has been open for a while", async || age().await >= Duration::from_millis(300)).await;
    other.batch_execute("COMMIT").await.unwrap();
    until("no transaction is open", async || age().await == Duration::ZERO).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_to_which_a_post_is_being_published_goes_to_no_other_website() {
    let Some(database) = OwnDatabase::new() else { return };
    let world = World::new(storage::open(database.address(), &options()).unwrap()).await;
    let (moment, until) = (world.moment(), world.now().plus(LEASE));
    world.store.create_website(&world.website("web_other", WebsiteStatus::Active)).await.unwrap();
    world.set_target(&world.website_id, &directory("posts")).await.unwrap();
    let former = world.store.find_target(&world.website_id).await.unwrap();
    write(&world).await;
    let [claiming, leaving, coming] = [(); 3].map(|()| world.store.clone());
    let website_id = world.website_id.clone();
    let outcomes = beside_a_transaction(
        &database,
        "LOCK TABLE published_files IN SHARE MODE",
        vec![
            async move { claiming.claim_posts(1, &[], moment, until).await.unwrap().len() == 1 }.boxed(),
            async move { leaving.set_target(&website_id, &former, &PublishingTarget::Hosted, moment).await.unwrap() }
                .boxed(),
            async move {
                coming.set_target("web_other", &PublishingTarget::Hosted, &directory("posts"), moment).await.is_ok()
            }
            .boxed(),
        ],
    );
    assert_eq!(outcomes.await, [true, true, false]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_redelivered_to_an_endpoint_that_is_being_paused() {
    let Some(database) = OwnDatabase::new() else { return };
    let world = World::new(storage::open(database.address(), &options()).unwrap()).await;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 2).await;
    let deliveries = claim(&world, 10, 10).await;
    record_all(&world, &deliveries, AttemptDecision::Exhausted).await;
    let filter = DeliveryFilter { state: Some(DeliveryState::Exhausted), ..DeliveryFilter::default() };
    let (now, account_id, page) = (world.now(), world.account_id.clone(), PageRequest { after: None, limit: 10 });
    let [one, all] = [(); 2].map(|()| world.store.clone());
    let id = deliveries[0].id.clone();
    let outcomes = beside_a_transaction(
        &database,
        "UPDATE hook_endpoints SET status = 'paused'",
        vec![
            async move { one.redeliver(&id, now).await.unwrap() == Redelivery::EndpointNotActive }.boxed(),
            async move { all.redeliver_matching(&account_id, &filter, &page, now).await.unwrap().count == 0 }.boxed(),
        ],
    );
    assert_eq!(outcomes.await, [true, true]);
}

/// The count of deadlocks shows them, because the aborted transaction is retried.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transactions_lock_subjects_of_sign_in_attempts_in_one_order() {
    let Some(database) = OwnDatabase::new() else { return };
    let world = World::new(storage::open(database.address(), &options()).unwrap()).await;
    let ada = added(&world, "ada@example.com").await;
    let mut subjects = ["192.0.2.1", "192.0.2.2"].map(|network| AttemptSubject::network(network, 1));
    subjects.sort_by_key(|subject| *subject.hash());
    let [low, high] = subjects;
    let count = |subjects: Vec<AttemptSubject>| {
        let (store, now) = (world.store.clone(), world.now());
        async move { store.count_sign_in_attempt(&subjects, now).await.unwrap().is_none() }.boxed()
    };
    let lock_low = "SELECT 1 FROM sign_in_attempts ORDER BY subject LIMIT 1 FOR UPDATE";
    assert!(count(vec![low, high]).await);
    let opening = SessionOpening { subjects: vec![high, low], ..opening(&world, &ada, None) };
    let store = world.store.clone();
    let opened = async move { store.open_session(opening).await.unwrap() }.boxed();
    let outcomes = beside_a_transaction(&database, lock_low, vec![count(vec![low, high]), opened]).await;
    assert_eq!(outcomes, [true, true]);
    // The attempt of another subject deletes both rows, the older one first.
    for subject in [high, low] {
        assert!(count(vec![subject]).await);
        world.advance(Duration::from_secs(1));
    }
    world.advance(FAILURE_MEMORY);
    let other = AttemptSubject::network("192.0.2.3", 1);
    let counts = vec![count(vec![low, high]), count(vec![other])];
    assert_eq!(beside_a_transaction(&database, lock_low, counts).await, [true, true]);
    drop(world);
    assert_eq!(database.deadlocks().await, 0, "transactions waited for each other");
}

/// Two installations may share a database, each in a separate schema.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn schemas_of_one_database_do_not_wait_for_each_other() {
    let Some((first, schema)) = fresh() else { return };
    let Some((second, _other_schema)) = fresh() else { return };
    let (first, second) = (World::new(first).await, World::new(second).await);
    let (blocking, connection) = tokio_postgres::connect(schema.address(), NoTls).await.unwrap();
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { connection.await.unwrap() });
    blocking.batch_execute("BEGIN; LOCK TABLE delivery_queue IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let meanwhile = async {
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'delivery_queue'::regclass";
        let is_waiting = async || blocking.query_one(waits, &[]).await.unwrap().get::<_, i64>(0) > 0;
        until("the first schema's claim waits for the table", is_waiting).await;
        assert!(claim(&second, 1, 1).await.is_empty());
        blocking.batch_execute("COMMIT").await.unwrap();
    };
    assert!(tokio::join!(claim(&first, 1, 1), meanwhile).0.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_idempotency_key_queues_one_job_in_all_processes() {
    let Some((first, schema)) = fresh() else { return };
    let second = storage::open(schema.address(), &options()).unwrap();
    let world = World::new(first).await;
    let submissions = (0..64).map(|number| {
        let store = if number % 2 == 0 { &world.store } else { &second };
        store.submit(world.keyed_submission("a topic", &format!("key-{}", number % 8)))
    });
    let outcomes = join_all(submissions).await;
    let queued = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Submitted::Queued))).count();
    let replayed = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Submitted::Replayed(_)))).count();
    assert_eq!((queued, replayed), (8, 56));
}

/// Jobs fail on many websites while others are queued there. PostgreSQL counts deadlocks by database, so this test has a separate one. Only
/// the count shows deadlocks, because the aborted transaction is retried.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_of_many_websites_end_while_others_are_queued_there() {
    let Some(database) = OwnDatabase::new() else { return };
    let world = World::new(storage::open(database.address(), &options()).unwrap()).await;
    let website_ids: Vec<_> = (0..48).map(|_| id::new(Kind::Website, world.now(), &SystemRandomness)).collect();
    for website_id in &website_ids {
        world.store.create_website(&world.website(website_id, WebsiteStatus::Active)).await.unwrap();
    }
    let queue_everywhere = || {
        join_all(website_ids.iter().map(|website_id| {
            let mut submission = world.submission("a topic");
            submission.job.website_id.clone_from(website_id);
            submission.post.website_id.clone_from(website_id);
            world.queue(submission)
        }))
    };
    let failing = |claimed: ClaimedJob| {
        let failure = Failure { code: "internal".to_owned(), message: "Broken.".to_owned(), retryable: false };
        let event_id = id::new(Kind::Event, world.now(), &SystemRandomness);
        let (job_id, lease_token) = (claimed.job.id, claimed.lease_token);
        JobFailure { job_id, lease_token, failure, retry_at: None, event_id, now: world.moment() }
    };
    let rounds = async {
        queue_everywhere().await;
        for _ in 0..20 {
            let claimed = world.claim().await;
            assert_eq!(claimed.len(), website_ids.len());
            // The newest website comes first. No other code uses this order.
            let failures = join_all(claimed.into_iter().rev().map(|claimed| world.store.fail_job(failing(claimed))));
            let (failures, _) = tokio::join!(failures, queue_everywhere());
            assert!(failures.into_iter().all(|failed| failed.unwrap() == LeaseOutcome::Recorded));
        }
    };
    ended("all jobs have ended: transactions do not wait for each other for ever", rounds).await;
    drop(world);
    assert_eq!(database.deadlocks().await, 0, "transactions waited for each other");
}

/// PostgreSQL counts deadlocks by database, so this test has a separate one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_plan_at_once_never_take_the_same_slot() {
    let Some(database) = OwnDatabase::new() else { return };
    let world = World::new(storage::open(database.address(), &options()).unwrap()).await;
    let second = storage::open(database.address(), &options()).unwrap();
    super::slots::slots_of_their_own(&world, &second).await;
    drop((world, second));
    assert_eq!(database.deadlocks().await, 0, "transactions waited for each other");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_change_is_announced_to_the_other_process_too() {
    let Some((first, schema)) = fresh() else { return };
    let second = storage::open(schema.address(), &options()).unwrap();
    let world = World::new(first).await;
    // The first wake-up shows that the other process is listening. All queues are woken then, this one last.
    ended("the other process listens", second.wakeups().watched_jobs.notified()).await;
    take(second.wakeups());
    let processes = Processes { own: world.store.wakeups(), other: Some(second.wakeups()) };
    every_change_is_announced(&world, &processes).await;
}

#[test]
fn several_may_open_a_new_database_at_once() {
    let Some(schema) = Schema::new() else { return };
    let openers: Vec<_> = (0..6)
        .map(|_| {
            let address = schema.address().to_owned();
            std::thread::spawn(move || storage::migrate(&address, &options()).map_err(|error| error.to_string()))
        })
        .collect();
    for opener in openers {
        assert_eq!(opener.join().unwrap(), Ok(1));
    }
}

#[test]
fn a_migration_that_fails_leaves_nothing_behind() {
    let Some(schema) = Schema::new() else { return };
    // The last table of the schema has this name.
    schema.execute("CREATE TYPE quota_windows AS (number INTEGER)");
    let migrate = || storage::migrate(schema.address(), &options());
    assert!(migrate().unwrap_err().to_string().contains("cannot be created"));
    let tables = "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()";
    assert_eq!(schema.query_number(tables), 0);
    schema.execute("DROP TYPE quota_windows");
    assert_eq!((migrate().unwrap(), migrate().unwrap()), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_goes_on_when_its_connections_were_cut() {
    let Some((store, schema)) = fresh() else { return };
    let world = World::new(store).await;
    for round in 0..5 {
        world.queue(world.submission(&format!("before {round}"))).await;
        schema.cut_connections();
        // Statements that had not started when the connection broke run on a new one.
        let job_id = world.queue(world.submission(&format!("after {round}"))).await;
        assert!(world.store.find_job(&job_id).await.unwrap().is_some());
    }
    assert_eq!(world.claim().await.len(), 10);
}

#[test]
fn a_database_that_is_not_ours_is_refused_and_left_alone() {
    let Some(schema) = Schema::new() else { return };
    schema.execute("CREATE TABLE accounts (number INTEGER)");
    let refused = || storage::open(schema.address(), &options()).unwrap_err().to_string();
    assert!(refused().contains("another program"), "{}", refused());
    schema.execute("DROP TABLE accounts");
    storage::migrate(schema.address(), &options()).unwrap();
    schema.execute("UPDATE contentgen_schema SET version = 99");
    assert!(refused().contains("use a newer version"), "{}", refused());
    schema.execute("UPDATE contentgen_schema SET version = 1");
    let other = Options {
        secret_key: Some(SecretKeySource::Given(SecretKey::generate(&SystemRandomness))),
        ..Options::new(Arc::new(SystemRandomness))
    };
    let wrong = storage::open(schema.address(), &other).unwrap_err().to_string();
    assert!(wrong.contains("is not the one"), "{wrong}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_process_purges_at_a_time_and_the_others_do_not_wait_for_it() {
    let Some((first, schema)) = fresh() else { return };
    let second = storage::open(schema.address(), &options()).unwrap();
    let world = World::new(first).await;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 3).await;
    record_all(&world, &claim(&world, 10, 10).await, AttemptDecision::Succeeded).await;
    let cutoff = world.now();
    // From here on, a deletion of attempts waits for this transaction.
    let (blocking, connection) = tokio_postgres::connect(schema.address(), NoTls).await.unwrap();
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { connection.await.unwrap() });
    blocking.batch_execute("BEGIN; SELECT id FROM attempts FOR UPDATE").await.unwrap();
    let purging = world.store.purge(RecordKind::Attempt, cutoff, "");
    let meanwhile = async {
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid";
        let is_waiting = async || blocking.query_one(waits, &[]).await.unwrap().get::<_, i64>(0) > 0;
        until("the first process waits for the transaction", is_waiting).await;
        for kind in RecordKind::ALL {
            assert_eq!(second.purge(kind, cutoff, "").await.unwrap(), PurgedBatch::default());
        }
        blocking.batch_execute("COMMIT").await.unwrap();
    };
    let both = async { tokio::join!(purging, meanwhile) };
    let (purged, ()) = ended("both processes have purged", both).await;
    assert_eq!(purged.unwrap().purged.attempts, 3);
    assert_eq!(second.purge(RecordKind::Event, cutoff, "").await.unwrap().purged.events, 3);
}

/// All kinds of work at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_fewest_connections_serve_every_kind_of_work() {
    let Some(schema) = Schema::new() else { return };
    let few = Options { connections: MIN_CONNECTIONS, ..options() };
    let world = World::new(storage::open(schema.address(), &few).unwrap()).await;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let (visibility, page) =
        (Visibility { account_id: world.account_id.clone(), website_ids: None }, PageRequest { after: None, limit: 9 });
    let work = (0..24).map(async |number| {
        let title = format!("topic {number}");
        world.queue(world.submission(&title)).await;
        for claimed in world.claim().await {
            world.job(&claimed.job.id).await;
            assert_eq!(
                world.store.complete_job(world.completion(&claimed, &title)).await.unwrap(),
                LeaseOutcome::Recorded
            );
        }
        capture(&world, 2).await;
        record_all(&world, &claim(&world, 10, 10).await, AttemptDecision::Succeeded).await;
        assert_eq!(world.store.list_websites(&visibility, &WebsiteFilter::default(), &page).await.unwrap().len(), 1);
        lease(&world.store, &title, 5, HeldQuotaLease::default()).await;
    });
    ended("all work is done", join_all(work)).await;
    let connections = "SELECT count(*) FROM pg_stat_activity
        WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()";
    until("only these connections are open", async || schema.query_number(connections) == i64::from(MIN_CONNECTIONS))
        .await;
}
