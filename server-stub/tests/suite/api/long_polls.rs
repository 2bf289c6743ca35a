//! Long polls: the reads during a wait, and the events that end it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::clock::Clock as _;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::server::{Database, Running, Server, Settings};
use contentgen_server_stub::storage;
use futures::future::{Either, join_all, select};
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::Registry;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

use super::client::{ApiResponse, Caller};
use super::world::World;
use crate::frozen_time::FrozenTime;
use crate::postgres::Schema;
use crate::store::postgres;
use crate::waiting::{ended, until};

const WAITERS: usize = 20;

/// Counts the reads of a job by the server of this thread.
#[derive(Debug, Clone, Default)]
struct JobReads(Arc<AtomicUsize>);

impl JobReads {
    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Layer<Registry> for JobReads {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, Registry>) {
        if event.metadata().name() == "job.read" {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// An API without a worker.
struct Api {
    running: Running,
    world: World,
    caller: Caller,
    reads: JobReads,
    _tracing: DefaultGuard,
}

impl Api {
    async fn start() -> Self {
        Self::start_with(Settings::demo()).await
    }

    async fn start_with(settings: Settings) -> Self {
        // A global subscriber: without one, `tracing` may cache for all threads that a callsite has no subscriber, if a thread without one
        // is the first that reaches it.
        static LISTENER: Once = Once::new();
        LISTENER.call_once(|| tracing::subscriber::set_global_default(Registry::default()).expect("the only one"));
        let reads = JobReads::default();
        let tracing = tracing::subscriber::set_default(Registry::default().with(reads.clone()));
        let settings = Settings { is_worker: false, ..settings };
        let running = Server::builder().settings(settings).start().await.unwrap();
        let world = World::of(&running);
        Self { caller: world.first(), running, world, reads, _tracing: tracing }
    }

    async fn queue(&self) -> String {
        let answer = self.caller.generate(&self.world.order("Waiting")).await;
        answer.json()["job_id"].as_str().unwrap().to_owned()
    }

    async fn wait_for(&self, job_id: &str) -> ApiResponse {
        let request = self.caller.request("GET", &format!("/api/v1/jobs/{job_id}")).header("prefer", "wait=60");
        self.caller.send(request).await
    }

    fn job_reads(&self) -> usize {
        self.reads.count()
    }

    async fn until_read(&self, times: usize) {
        until("the job is read", async || self.job_reads() >= times).await;
    }
}

/// Waits for callers without letting the requested waiting time pass.
async fn ended_within_the_wait<F: Future>(callers: F) -> F::Output {
    let _time = FrozenTime::begin();
    ended("the callers have their responses", callers).await
}

#[tokio::test]
async fn a_long_poll_lasts_as_long_as_asked_and_ends_with_the_job() {
    let api = Api::start().await;
    let job_id = api.queue().await;
    let time = FrozenTime::begin();
    let path = format!("/api/v1/jobs/{job_id}");
    let wait_one_second = async |etag: &str| {
        let request = api.caller.request("GET", &path).header("prefer", "wait=1").header("if-none-match", etag);
        let reads = api.job_reads();
        let waiting = api.caller.send(request);
        tokio::pin!(waiting);
        tokio::select! {
            answer = &mut waiting => panic!("it did not wait: {answer:?}"),
            () = api.until_read(reads + 1) => {}
        }
        time.ends_after(Duration::from_secs(1), waiting).await
    };
    let answer = wait_one_second("\"another\"").await;
    assert_eq!((answer.json()["status"].as_str(), answer.header("preference-applied")), (Some("queued"), "wait=1"));
    assert!(!answer.header("retry-after").is_empty());
    // The tag still matches after the wait.
    assert_eq!(wait_one_second(answer.header("etag")).await.status, 304);
    drop(time);
    assert!(api.running.stop().await);
}

#[tokio::test]
async fn a_server_that_stops_ends_its_long_polls() {
    let api = Api::start().await;
    let job_id = api.queue().await;
    let Api { running, caller, reads, _tracing, .. } = api;
    let stopping = async {
        until("the job is read", async || reads.count() > 0).await;
        assert!(running.stop().await);
    };
    let request = caller.request("GET", &format!("/api/v1/jobs/{job_id}")).header("prefer", "wait=60");
    let (answer, ()) = ended_within_the_wait(futures::future::join(caller.send(request), stopping)).await;
    assert_eq!(answer.json()["status"], "queued");
}

#[tokio::test]
async fn a_job_is_read_when_the_wait_begins_and_when_it_ends() {
    let api = Api::start().await;
    let job_id = api.queue().await;
    let waiting = join_all((0..WAITERS).map(|_| api.wait_for(&job_id)));
    let cancelling = async {
        api.until_read(WAITERS).await;
        api.caller.post_text(&format!("/api/v1/jobs/{job_id}/cancel"), "").await
    };
    let (answers, _) = ended_within_the_wait(futures::future::join(waiting, cancelling)).await;
    assert!(answers.iter().all(|answer| answer.json()["status"] == "cancelled"));
    // One more read for the request that cancels.
    assert_eq!(api.job_reads(), 2 * WAITERS + 1);
    assert!(api.running.stop().await);
}

#[tokio::test]
async fn a_key_waits_in_a_limited_number_of_requests_and_others_are_answered_at_once() {
    const MOST: usize = 100;
    let api = Api::start().await;
    let job_id = api.queue().await;
    let waiting = join_all((0..MOST).map(|_| api.wait_for(&job_id)));
    let asking = async {
        api.until_read(MOST).await;
        let answer = api.wait_for(&job_id).await;
        let cancelled = api.caller.post_text(&format!("/api/v1/jobs/{job_id}/cancel"), "").await;
        (answer, cancelled)
    };
    let (waited, (answer, _)) = ended_within_the_wait(futures::future::join(waiting, asking)).await;
    assert_eq!((answer.status, answer.json()["status"].as_str()), (200, Some("queued")));
    assert_eq!((answer.header("preference-applied"), answer.header("retry-after")), ("", "1"));
    assert!(waited.iter().all(|answer| answer.json()["status"] == "cancelled"));
    assert!(waited.iter().all(|answer| answer.header("preference-applied") == "wait=60"));
    // They have ended, so another one waits.
    let job_id = api.queue().await;
    let reads = api.job_reads();
    let cancelling = async {
        api.until_read(reads + 1).await;
        api.caller.post_text(&format!("/api/v1/jobs/{job_id}/cancel"), "").await
    };
    let (answer, _) = ended_within_the_wait(futures::future::join(api.wait_for(&job_id), cancelling)).await;
    assert_eq!((answer.json()["status"].as_str(), answer.header("preference-applied")), (Some("cancelled"), "wait=60"));
    assert!(api.running.stop().await);
}

/// Cancels a job with `cancel`, like a process whose announcement does not arrive.
async fn an_end_without_an_announcement_is_found(api: Api, cancel: impl AsyncFnOnce(&str)) {
    let (job_id, other_id) = (api.queue().await, api.queue().await);
    let cancelling = async {
        api.until_read(2).await;
        cancel(&job_id).await;
    };
    let waiting = Box::pin(select(Box::pin(api.wait_for(&job_id)), Box::pin(api.wait_for(&other_id))));
    let time = FrozenTime::begin();
    // The job is cancelled before time passes, however long that takes.
    let Either::Right(((), waiting)) = select(waiting, Box::pin(cancelling)).await else {
        panic!("a wait ended before any time passed")
    };
    let answer = match time.pass_until_end(Duration::from_millis(20), "the end of the job is found", waiting).await {
        (Either::Left((answer, _)), _) => answer,
        (Either::Right(_), _) => panic!("the unfinished job came first"),
    };
    assert_eq!(answer.json()["status"], "cancelled");
    drop(time);
    assert!(api.running.stop().await);
}

#[tokio::test]
async fn an_end_without_an_announcement_is_found_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", folder.path().join("test.db").display());
    let api = Api::start_with(Settings { database: Database::At(address.clone()), ..Settings::demo() }).await;
    // Processes that share a file send no announcements.
    let other = storage::open(&address, &storage::Options::new(Arc::new(SystemRandomness))).unwrap();
    an_end_without_an_announcement_is_found(api, async |job_id| {
        other.cancel_job(job_id, SystemClock.wall()).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_end_without_an_announcement_is_found_on_postgres() {
    let Some(schema) = Schema::new() else { return };
    let database = Database::At(schema.address().to_owned());
    let api =
        Api::start_with(Settings { database, secret_key: postgres::options().secret_key, ..Settings::demo() }).await;
    // The store would announce it, so bypass it.
    an_end_without_an_announcement_is_found(api, async |job_id| {
        schema.execute(&format!(
            "UPDATE jobs SET status = 'cancelled', finished_at = created_at, run_at = NULL WHERE id = '{job_id}'"
        ));
    })
    .await;
}

#[tokio::test]
async fn nobody_waits_who_may_not_see_the_job() {
    let world = World::shared();
    let answers = [
        (world.first().with_key(None), "missing_credentials"),
        (world.first().with_key(Some("cgk_live_unknown")), "invalid_credentials"),
        (world.second(), "job_not_found"),
    ];
    let queued = world.first().generate(&world.order("Somebody else's")).await;
    let path = format!("/api/v1/jobs/{}", queued.json()["job_id"].as_str().unwrap());
    for (caller, code) in answers {
        let request = caller.request("GET", &path).header("prefer", "wait=60");
        let answer = ended_within_the_wait(caller.send(request)).await;
        assert_eq!(answer.problem().1, code);
    }
}
