//! Acknowledged work survives `kill -9`, and is not done twice.

use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::clock::{Clock, Timestamp};
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::job::JobStatus;
use contentgen_server_stub::generation::OfflineWriter;
use contentgen_server_stub::generation::worker::Worker;
use contentgen_server_stub::publishing::{HostedSite, Scheduler};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::store::world::World;
use crate::waiting::until;

/// Environment variable with the database's folder, for the process that will be killed.
const FOLDER: &str = "CONTENTGEN_CRASH_TEST_FOLDER";
const LIVES: usize = 8;
/// Lifetimes of the processes, in milliseconds.
const LIFE: Range<u64> = 60..700;
/// Maximum lifetime, if no shorter one was enough to acknowledge a job.
const LONGEST_LIFE: Duration = Duration::from_mins(1);
const JOBS_PER_LIFE: usize = 25;

/// A clock that is ahead, so that the leases of killed processes have expired.
#[derive(Debug)]
struct Ahead(Duration);

impl Clock for Ahead {
    fn wall(&self) -> Timestamp {
        SystemClock.wall().plus(self.0)
    }

    fn steady(&self) -> Timestamp {
        self.wall()
    }
}

async fn open(folder: &Path) -> World {
    let store = storage::open(
        &format!("sqlite:{}", folder.join("test.db").display()),
        &storage::Options::new(Arc::new(SystemRandomness)),
    )
    .unwrap();
    World::new(store).await
}

fn work(world: &World, clock: &Arc<dyn Clock>, stop: &CancellationToken) -> JoinSet<()> {
    let (store, clock) = (&world.store, || Arc::clone(clock));
    let worker = Worker::new(store.clone(), clock(), Arc::new(SystemRandomness), Arc::new(OfflineWriter), 2);
    let publisher = Arc::new(HostedSite::new("http://localhost:8080".parse().unwrap()));
    let scheduler = Scheduler::new(store.clone(), clock(), Arc::new(SystemRandomness), publisher);
    let mut loops = JoinSet::new();
    loops.spawn(worker.run(stop.clone()));
    loops.spawn(scheduler.run(stop.clone()));
    loops
}

#[test]
#[ignore = "the next test runs this in another process and kills it"]
fn a_server_that_will_be_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let world = open(Path::new(&folder)).await;
        let _loops = work(&world, &(Arc::new(SystemClock) as _), &CancellationToken::new());
        for number in 0..JOBS_PER_LIFE {
            let mut submission = world.submission(&format!("how to store {number} apples"));
            submission.job.request.target_word_count = 200;
            submission.job.created_at = SystemClock.wall();
            submission.due_at = SystemClock.steady();
            submission.job.deadline_at = SystemClock.wall().plus(Duration::from_hours(1));
            submission.job.expires_at = submission.job.deadline_at;
            let job_id = world.queue(submission).await;
            let mut output = std::io::stdout().lock();
            writeln!(output, "\nacknowledged {job_id}").unwrap();
            output.flush().unwrap();
        }
        std::future::pending::<()>().await;
    });
}

/// Lets a process work for `life` and kills it. Returns the jobs that it acknowledged.
fn live_and_be_killed(folder: &Path, life: Duration) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::a_server_that_will_be_killed", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let reading = std::thread::spawn(move || {
        let acknowledged = |line: String| line.strip_prefix("acknowledged ").map(str::to_owned);
        output.lines().map_while(Result::ok).filter_map(acknowledged).collect::<Vec<_>>()
    });
    std::thread::sleep(life);
    child.kill().unwrap();
    child.wait().unwrap();
    reading.join().unwrap()
}

async fn live(folder: &Path, life: Duration) -> Vec<String> {
    let folder = folder.to_owned();
    tokio::task::spawn_blocking(move || live_and_be_killed(&folder, life)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_processes_lose_nothing_and_repeat_nothing() {
    let seed: u64 = rand::rng().random();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let folder = tempfile::tempdir().unwrap();
    let world = open(folder.path()).await;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    drop(world);
    let mut acknowledged = Vec::new();
    for _ in 0..LIVES {
        let life = Duration::from_millis(random.random_range(LIFE));
        acknowledged.extend(live(folder.path(), life).await);
    }
    // On a slow machine all processes may have been killed before they acknowledged anything.
    let mut life = Duration::from_millis(LIFE.end);
    while acknowledged.is_empty() && life < LONGEST_LIFE {
        life = LONGEST_LIFE.min(life * 2);
        acknowledged.extend(live(folder.path(), life).await);
    }

    let world = open(folder.path()).await;
    let stop = CancellationToken::new();
    let mut loops = work(&world, &(Arc::new(Ahead(Duration::from_mins(2))) as _), &stop);
    let database = rusqlite::Connection::open(folder.path().join("test.db")).unwrap();
    let count = |query: &str| database.query_row(query, [], |row| row.get::<_, u32>(0)).unwrap();
    let unfinished = "SELECT count(*) FROM scheduled_posts WHERE status NOT IN ('published', 'failed')";
    until("all posts are published", async || count(unfinished) == 0).await;
    stop.cancel();
    while let Some(ended) = loops.join_next().await {
        ended.unwrap();
    }
    for job_id in &acknowledged {
        let job = world.store.find_job(job_id).await.unwrap();
        let status = job.map(|job| job.status);
        assert_eq!(status, Some(JobStatus::Completed), "seed {seed}: {job_id}");
    }
    let jobs = count("SELECT count(*) FROM jobs WHERE status = 'completed'");
    assert!(jobs as usize >= acknowledged.len() && !acknowledged.is_empty(), "seed {seed}");
    for (what, query) in [
        ("articles", "SELECT count(*) FROM articles WHERE status = 'published'"),
        ("jobs with an article", "SELECT count(DISTINCT job_id) FROM articles"),
        ("published posts", "SELECT count(*) FROM scheduled_posts WHERE status = 'published'"),
        ("announced articles", "SELECT count(DISTINCT object_id) FROM events WHERE type = 'article.published'"),
        ("events", "SELECT count(*) FROM events"),
        ("deliveries", "SELECT count(*) FROM deliveries"),
    ] {
        assert_eq!(count(query), jobs, "seed {seed}: {what}");
    }
    assert_eq!(count("SELECT sum(unfinished) FROM queue_depths"), 0, "seed {seed}");
    let check: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok", "seed {seed}");
}
