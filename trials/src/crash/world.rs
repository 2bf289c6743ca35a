//! The world of one scenario: a fresh database, an account with three hook endpoints, the receiver and the server processes. For the
//! actions see `scenario`, for the end see `ending`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use reqwest::Client;
use rustix::process::Signal;
use tempfile::TempDir;
use tokio::time::sleep;

use super::database::{Database, StoreKind};
use super::evidence::{Endpoint, Standstill};
use super::launch::Launch;
use super::load::{Load, Promises, Target};
use super::oracle::Verdict;
use super::outcome::Tally;
use super::receiver::Receiver;
use super::registration::Registration;
use super::scenario::Plan;
use super::server::Server;
use crate::program::Program;
use crate::reserved_port::ReservedPort;

/// Maximum time to finish all acknowledged work once the disturbances have ended, …
const DRAINED_WITHIN: Duration = Duration::from_mins(1);
/// … and for each requested article: one endpoint hangs up on every event, and receives few events at a time.
const DRAINED_PER_JOB: Duration = Duration::from_millis(50);
/// Maximum time until a started server serves requests, …
const READY_WITHIN: Duration = Duration::from_mins(1);
/// … and maximum time of one readiness check.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);
/// Maximum time until a started server can be asked to stop.
const STOPPABLE_WITHIN: Duration = Duration::from_mins(1);
/// Maximum time until a server stops after a request: its own drain, and a margin.
const STOPPED_WITHIN: Duration = Duration::from_secs(35);

/// Everything that a scenario works with.
#[derive(Debug)]
pub(super) struct World {
    pub(super) program: Program,
    pub(super) database: Database,
    pub(super) launch: Launch,
    /// `None` while a process is not running.
    pub(super) servers: Vec<Option<Server>>,
    pub(super) endpoints: Vec<Endpoint>,
    pub(super) receiver: Receiver,
    pub(super) promises: Arc<Promises>,
    pub(super) random: ChaCha8Rng,
    /// Faults that the oracle cannot see.
    pub(super) faults: Vec<String>,
    /// Results of the scenario's own checks.
    pub(super) verdicts: Vec<Verdict>,
    /// Further remarks for the report.
    pub(super) notes: Vec<String>,
    /// Number of times a working server was disturbed.
    pub(super) interruptions: usize,
    /// Periods in which a server was stopped.
    pub(super) standstills: Vec<Standstill>,
    /// The database's address for the servers, if it differs from the real one.
    pub(super) detour: Option<String>,
    /// Maximum duration of the end.
    pub(super) patience: Duration,
    pub(super) tally: Tally,
    target: Target,
    /// Reserved, so that a restarted process gets the same address.
    ports: Vec<ReservedPort>,
    pub(super) scenario: &'static str,
    pub(super) began: Instant,
    pub(super) folder: TempDir,
}

impl World {
    /// Creates a world with `processes` servers that are not started yet.
    pub(super) async fn new(plan: &Plan, scenario: &'static str, variant: u64, launch: Launch) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("contentgen-crash-").tempdir()?;
        let mut random = ChaCha8Rng::seed_from_u64(plan.seed ^ (variant << 32));
        let database = match (plan.store, &plan.database_url) {
            (StoreKind::Postgres, Some(server)) => {
                let unique: u32 = rand::rng().random();
                Database::postgres(server, format!("crash_{}_{unique:08x}", plan.seed)).await?
            }
            _ => Database::sqlite(folder.path()),
        };
        let receiver = Receiver::start(&folder.path().join("received.jsonl")).await?;
        let ports = (0..plan.processes).map(|_| ReservedPort::new()).collect::<Result<Vec<_>>>()?;
        let registered = match Registration::make(&plan.program, folder.path(), &database.address(), &receiver) {
            Ok(registered) => registered,
            Err(error) => {
                database.remove().await?;
                return Err(error);
            }
        };
        let bases = ports.iter().map(|port| format!("http://{}", port.address())).collect();
        let target = Target { bases, api_key: registered.api_key, website_ids: vec![registered.website_id] };
        // A separate seed for each use, so that an additional draw in one place changes nothing elsewhere.
        random = ChaCha8Rng::seed_from_u64(random.random());
        Ok(Self {
            servers: ports.iter().map(|_| None).collect(),
            promises: Arc::default(),
            faults: Vec::new(),
            verdicts: Vec::new(),
            notes: Vec::new(),
            interruptions: 0,
            standstills: Vec::new(),
            detour: None,
            patience: DRAINED_WITHIN,
            tally: Tally::default(),
            began: Instant::now(),
            program: plan.program.clone(),
            database,
            launch,
            endpoints: registered.endpoints,
            receiver,
            random,
            target,
            ports,
            scenario,
            folder,
        })
    }

    /// Returns the websites for which articles are requested.
    pub(super) fn website_ids(&self) -> &[String] {
        &self.target.website_ids
    }

    /// Adds a website for which articles are requested.
    pub(super) fn add_website(&mut self, website_id: String) {
        self.target.website_ids.push(website_id);
    }

    /// Starts all processes.
    pub(super) fn start_all(&mut self) -> Result<()> {
        (0..self.ports.len()).try_for_each(|index| self.start(index))
    }

    /// Starts process number `index`.
    pub(super) fn start(&mut self, index: usize) -> Result<()> {
        let database = self.detour.clone().unwrap_or_else(|| self.database.address());
        let address = self.ports[index].address();
        let server = Server::start(&self.program, &self.launch, address, &database, &self.log(index))?;
        self.servers[index] = Some(server);
        Ok(())
    }

    /// Waits until all processes serve requests. If one does not, records a fault and returns `false`.
    pub(super) async fn wait_until_ready(&mut self) -> Result<bool> {
        let client = Client::new();
        let given_up_at = Instant::now() + READY_WITHIN;
        for index in 0..self.servers.len() {
            let url = format!("{}/readyz", self.target.bases[index]);
            while !is_ready(&client, &url).await {
                if let Some(status) = self.server(index)?.ended()? {
                    self.faults.push(format!("process {index} ended unexpectedly: {status}; its log says why"));
                    return Ok(false);
                }
                if Instant::now() >= given_up_at {
                    self.faults.push(format!("process {index} was not ready within {} s", READY_WITHIN.as_secs()));
                    return Ok(false);
                }
                sleep(Duration::from_millis(20)).await;
            }
        }
        Ok(true)
    }

    /// Returns process number `index`, which must be running.
    pub(super) fn server(&mut self, index: usize) -> Result<&mut Server> {
        self.servers[index].as_mut().context("the process is not running")
    }

    /// Sends `kill -9` to process number `index`, which should be running.
    pub(super) async fn kill(&mut self, index: usize) -> Result<()> {
        let mut server = self.servers[index].take().context("the process is not running")?;
        if let Some(status) = server.ended()? {
            self.faults.push(format!("process {index} ended unexpectedly: {status}; its log says why"));
        }
        server.kill().await?;
        self.tally.kills += 1;
        self.interruptions += 1;
        Ok(())
    }

    /// Starts process number `index` again.
    pub(super) fn restart(&mut self, index: usize) -> Result<()> {
        self.tally.restarts += 1;
        self.start(index)
    }

    /// Requests `jobs` articles within about `span`.
    pub(super) fn load(&mut self, jobs: u32, span: Duration) -> Load {
        self.patience += DRAINED_PER_JOB * jobs;
        Load::start(&self.target, &self.promises, jobs, span, self.random.random())
    }

    /// Lets a load request `jobs` more articles within about `span`.
    pub(super) fn more(&mut self, load: &mut Load, jobs: u32, span: Duration) {
        self.patience += DRAINED_PER_JOB * jobs;
        load.grow(&self.target, &self.promises, jobs, span, self.random.random());
    }

    /// Pauses for a random time, in milliseconds.
    pub(super) async fn live(&mut self, shortest: u64, longest: u64) {
        let life = self.random.random_range(shortest..=longest);
        sleep(Duration::from_millis(life)).await;
    }

    /// Returns how often a server logged a sentence that contains `words`.
    pub(super) fn logged(&self, words: &str) -> Result<usize> {
        let logs = (0..self.ports.len()).map(|index| std::fs::read_to_string(self.log(index)));
        let logs = logs.collect::<std::io::Result<Vec<_>>>()?;
        Ok(logs.iter().map(|log| log.matches(words).count()).sum())
    }

    /// Asks process number `index` to stop, and records a fault if it does not stop in order.
    pub(super) async fn stop(&mut self, index: usize) -> Result<()> {
        let Some(mut server) = self.servers[index].take() else { return Ok(()) };
        let given_up_at = Instant::now() + STOPPABLE_WITHIN;
        let ended = loop {
            // Checks for the process's end before reading its signals.
            let ended = server.ended()?;
            if ended.is_some() || server.can_be_asked_to_stop()? || Instant::now() >= given_up_at {
                break ended;
            }
            sleep(Duration::from_millis(10)).await;
        };
        if let Some(status) = ended {
            self.faults.push(format!("process {index} ended unexpectedly: {status}; its log says why"));
            return Ok(());
        }
        server.signal(Signal::TERM)?;
        match server.wait(STOPPED_WITHIN).await? {
            Some(status) if status.success() => {}
            Some(status) => self.faults.push(format!("process {index} was asked to stop and ended with {status}")),
            None => {
                self.faults.push(format!("process {index} did not stop within {} s", STOPPED_WITHIN.as_secs()));
                server.kill().await?;
            }
        }
        Ok(())
    }

    fn log(&self, index: usize) -> PathBuf {
        self.folder.path().join(format!("server-{index}.log"))
    }
}

async fn is_ready(client: &Client, url: &str) -> bool {
    let answer = client.get(url).timeout(ANSWERED_WITHIN).send().await;
    answer.is_ok_and(|answer| answer.status().is_success())
}
