//! Arguments and steps of `cargo trials fleet`.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use tokio::process::Command;

use super::balancer::Balancer;
use super::member::Member;
use super::target;
use crate::crash::database::Database;
use crate::program::Program;

/// Runs the suite against several server processes on one PostgreSQL.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A PostgreSQL server in which a separate database is created and dropped: postgres://user@host:port/database
    #[arg(long, env = "CONTENTGEN_TEST_POSTGRES_URL", hide_env_values = true)]
    database_url: String,
    /// Number of processes that only serve requests.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(0..=16))]
    api: u16,
    /// Number of processes that serve requests, and write, publish and send webhooks.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=16))]
    both: u16,
    /// Number of processes that only write, publish and send webhooks.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=16))]
    worker: u16,
    /// The cargo profile of the programs.
    #[arg(long, default_value = "release")]
    profile: String,
    /// Options for `contentgen-conformance run`, after `--`.
    #[arg(last = true)]
    suite: Vec<String>,
}

impl Arguments {
    /// Returns the number of processes that serve requests.
    const fn answering(&self) -> u16 {
        self.api + self.both
    }

    /// Returns the roles of the processes; those that serve requests come first.
    fn roles(&self) -> impl Iterator<Item = (&'static str, u16)> {
        let roles = [("api", self.api), ("api,worker", self.both), ("worker", self.worker)];
        roles.into_iter().flat_map(|(role, count)| (1..=count).map(move |number| (role, number)))
    }
}

/// Starts the fleet, runs the suite, stops the fleet.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    ensure!(arguments.answering() > 0, "no process would serve requests; set --api or --both to a number above 0");
    ensure!(
        arguments.both + arguments.worker > 0,
        "no process would write articles; set --both or --worker to a number above 0"
    );
    let server = Program::build(root, &arguments.profile, "contentgen-server", &[])?;
    let suite = Program::build(root, &arguments.profile, "contentgen-conformance", &[])?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let name = format!("fleet_{}", std::process::id());
        let database = Database::postgres(&arguments.database_url, name).await?;
        let outcome = measure(root, arguments, &database, &server, &suite).await;
        database.remove().await?;
        outcome
    })
}

async fn measure(
    root: &Path,
    arguments: &Arguments,
    database: &Database,
    server: &Program,
    suite: &Program,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let address = database.address();
    let socket = Balancer::socket().await?;
    let base_url = format!("http://{}", socket.local_addr()?);
    let mut members = Vec::new();
    for (role, number) in arguments.roles() {
        let name = (format!("{}-{number}", role.replace(',', "-")), role);
        members.push(Member::start(server, folder.path(), name, &address, Some(&base_url)).await?);
    }
    let targets = members.iter().take(arguments.answering().into()).map(Member::address).collect::<Result<_>>()?;
    let balancer = Balancer::start(socket, targets)?;
    let ready = members.first().context("no process was started")?.ready.clone();
    let file = folder.path().join("conformance.toml");
    let base_url = format!("http://{}", balancer.address());
    std::fs::write(&file, target::configuration(&base_url, &ready, server.path())?)?;
    let status = Command::new(suite.path())
        .args(["run", "--config"])
        .arg(&file)
        .args(&arguments.suite)
        .envs(target::keys(&ready)?)
        .env("CONTENTGEN_DATABASE", &address)
        .env("CONTENTGEN_SECRET_KEY_FILE", folder.path().join("contentgen.key"))
        .current_dir(root)
        .status()
        .await
        .context("the suite cannot be run")?;
    for member in members {
        let ended = member.stop().await?;
        ensure!(ended.success(), "a process of the fleet ended with {ended}");
    }
    ensure!(status.success(), "the suite ended with {status} against {} API processes", arguments.answering());
    Ok(())
}
