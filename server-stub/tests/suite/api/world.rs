//! Servers to test against: one that all tests share, and ones of their own for tests that need other settings.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use contentgen_server_stub::demo::DemoAccount;
use contentgen_server_stub::server::{self, Database, Running, Settings};
use serde_json::{Value, json};

use super::client::Caller;

/// What the shared server tells about itself.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) base_url: String,
    pub(crate) database: String,
    pub(crate) accounts: Vec<DemoAccount>,
}

/// The shared server. It has a runtime of its own, since each test's ends with the test.
static SHARED: LazyLock<World> = LazyLock::new(|| {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async move {
            let database = Database::At(format!("sqlite:{}", unused_file().display()));
            let settings = Settings { database, ..Settings::demo() };
            let running = server::start(settings).await.unwrap();
            sender.send(World::of(&running)).unwrap();
            // The server lives as long as the test process.
            std::future::pending::<()>().await;
        });
    });
    receiver.recv().unwrap()
});

/// A file for the database of this process. Nothing stops the shared server, so it is where builds are cleaned up, not in a temporary
/// folder. Files of processes that have ended are removed.
fn unused_file() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api");
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(&folder).unwrap().map_while(Result::ok) {
        let name = entry.file_name().into_string().unwrap();
        let process = name.split('.').next().unwrap();
        if !Path::new("/proc").join(process).exists() {
            drop(std::fs::remove_file(entry.path()));
        }
    }
    folder.join(format!("{}.db", std::process::id()))
}

impl World {
    /// What a server tells about itself.
    pub(crate) fn of(running: &Running) -> Self {
        Self {
            base_url: running.base_url().unwrap().to_owned(),
            database: running.database().to_owned(),
            accounts: running.accounts().to_vec(),
        }
    }

    /// The shared server.
    pub(crate) fn shared() -> &'static Self {
        &SHARED
    }

    /// A caller of the first account.
    pub(crate) fn first(&self) -> Caller {
        Caller::new(&self.base_url, Some(&self.accounts[0].api_key))
    }

    /// A caller of the second account.
    pub(crate) fn second(&self) -> Caller {
        Caller::new(&self.base_url, Some(&self.accounts[1].api_key))
    }

    /// The first account's website.
    pub(crate) fn website_id(&self) -> &str {
        &self.accounts[0].website_id
    }

    /// The smallest request for the first account's website.
    pub(crate) fn order(&self, topic: &str) -> Value {
        json!({ "topic": topic, "website_id": self.website_id(), "target_word_count": 200 })
    }
}

/// A server of the test's own, without a worker: jobs stay queued.
pub(crate) async fn without_worker() -> (Running, World) {
    own(Settings { is_worker: false, ..Settings::demo() }).await
}

/// A server of the test's own.
pub(crate) async fn own(settings: Settings) -> (Running, World) {
    let running = server::start(settings).await.unwrap();
    let world = World::of(&running);
    (running, world)
}

/// Queues an article and waits until its job has ended; answers the job.
pub(crate) async fn written(caller: &Caller, order: &Value) -> Value {
    let queued = caller.generate(order).await;
    assert_eq!(queued.status, 202, "{}", queued.text());
    ended(caller, queued.json()["job_id"].as_str().unwrap()).await
}

/// Waits until the job has ended.
pub(crate) async fn ended(caller: &Caller, job_id: &str) -> Value {
    loop {
        let request = caller.request("GET", &format!("/api/v1/jobs/{job_id}")).header("prefer", "wait=60");
        let job = caller.send(request).await.json();
        if job["done"] == true {
            return job;
        }
    }
}
