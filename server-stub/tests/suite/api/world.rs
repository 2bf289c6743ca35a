//! Servers to test against: one that all tests share, and separate ones for tests with other settings.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use contentgen_server_stub::demo::DemoAccount;
use contentgen_server_stub::server::{self, Database, Running, Settings};
use serde_json::{Value, json};

use super::client::Caller;

/// Address, keys and ids of a server.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) base_url: String,
    pub(crate) database: String,
    pub(crate) accounts: Vec<DemoAccount>,
}

/// The shared server. It has a separate runtime, because the runtime of a test ends with the test.
static SHARED: LazyLock<World> = LazyLock::new(|| {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async move {
            let database = Database::At(format!("sqlite:{}", unused_file().display()));
            let settings = Settings { database, ..Settings::demo() };
            let running = server::start(settings).await.unwrap();
            sender.send(World::of(&running)).unwrap();
            // The server runs until the test process ends.
            std::future::pending::<()>().await;
        });
    });
    receiver.recv().unwrap()
});

/// Returns a file for the database of this process. The file is in the build folder, because the shared server is never stopped and could
/// not remove a temporary folder. Removes the files of ended processes.
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
    /// Reads address, keys and ids of a server.
    pub(crate) fn of(running: &Running) -> Self {
        Self {
            base_url: running.base_url().unwrap().to_owned(),
            database: running.database().to_owned(),
            accounts: running.accounts().to_vec(),
        }
    }

    /// Returns the shared server.
    pub(crate) fn shared() -> &'static Self {
        &SHARED
    }

    /// Returns a caller of the first account.
    pub(crate) fn first(&self) -> Caller {
        Caller::new(&self.base_url, Some(&self.accounts[0].api_key))
    }

    /// Returns a caller of the second account.
    pub(crate) fn second(&self) -> Caller {
        Caller::new(&self.base_url, Some(&self.accounts[1].api_key))
    }

    /// Returns the id of the first account's website.
    pub(crate) fn website_id(&self) -> &str {
        &self.accounts[0].website_id
    }

    /// Returns the smallest request for the first account's website.
    pub(crate) fn order(&self, topic: &str) -> Value {
        json!({ "topic": topic, "website_id": self.website_id(), "target_word_count": 200 })
    }
}

/// Starts a separate server without a worker, so that jobs stay queued.
pub(crate) async fn without_worker() -> (Running, World) {
    own(Settings { is_worker: false, ..Settings::demo() }).await
}

/// Starts a separate server.
pub(crate) async fn own(settings: Settings) -> (Running, World) {
    let running = server::start(settings).await.unwrap();
    let world = World::of(&running);
    (running, world)
}

/// Queues an article and waits until its job has ended. Returns the job.
pub(crate) async fn written(caller: &Caller, order: &Value) -> Value {
    let queued = caller.generate(order).await;
    assert_eq!(queued.status, 202, "{}", queued.text());
    ended(caller, queued.json()["job_id"].as_str().unwrap()).await
}

/// Waits until the job has ended. Returns the job.
pub(crate) async fn ended(caller: &Caller, job_id: &str) -> Value {
    loop {
        let request = caller.request("GET", &format!("/api/v1/jobs/{job_id}")).header("prefer", "wait=60");
        let job = caller.send(request).await.json();
        if job["done"] == true {
            return job;
        }
    }
}
