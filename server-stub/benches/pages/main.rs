//! Response times of the dashboard's pages in a large account, and the memory of the server's process. The bench runs the real program and
//! requests one page after the other. It fails if a page's 95th percentile or the memory misses its goal.

mod arguments;
mod browser;
#[path = "../database/mod.rs"]
mod database;
#[path = "../scale/fill/mod.rs"]
mod fill;
#[path = "../scale/population.rs"]
mod population;
mod program;
#[path = "../scale/shapes.rs"]
mod shapes;
mod visits;

use std::io::Write;

use anyhow::Context as _;
use clap::Parser as _;
use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::clock::Clock as _;
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::user::{BearerToken, SIGN_IN_LINK_LIFETIME, User};
use contentgen_server_stub::randomness::SystemRandomness;

use arguments::Arguments;
use browser::Browser;
use database::{Database, Engine};
use population::Population;
use program::Program;
use visits::Visits;

/// Maximum 95th percentile of a page, in milliseconds.
const PAGE_GOAL_MS: f64 = 20.0;
/// Maximum memory of the process, in MiB.
const MEMORY_GOAL_MIB: f64 = 80.0;

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    // Only `cargo bench` measures; `cargo test --benches` runs this program too.
    if !arguments.bench {
        return Ok(());
    }
    tokio::runtime::Runtime::new().context("no runtime")?.block_on(measure_all(&arguments))
}

async fn measure_all(arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    let mut missed = Vec::new();
    for engine in arguments.engines() {
        if engine.is_there() {
            missed.extend(measure(engine, arguments, &mut out).await?);
        } else {
            writeln!(out, "{engine}: skipped, CONTENTGEN_TEST_POSTGRES_URL names no PostgreSQL database")?;
        }
    }
    anyhow::ensure!(missed.is_empty(), "missed: {}", missed.join(", "));
    Ok(())
}

/// Measures one engine and prints. Returns the missed goals.
async fn measure(engine: Engine, arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Vec<String>> {
    let (database, store) = Database::new(engine).await?;
    let population = Population::new(&store, arguments.articles, 1, arguments.endpoints).await?;
    let link = add_user(&store, &population.owners[0].account_id).await?;
    drop(store);
    fill::fill(&database, &population, out).await?;
    let deliveries = database.count("deliveries").await?;
    writeln!(out, "{engine}, one account: {0} articles, {0} leads, {deliveries} deliveries", arguments.articles)?;
    let program = Program::start(&database)?;
    let browser = Browser::sign_in(program.base_url(), &link).await?;
    let visits = Visits::of(&population);
    let idle = program.memory_mib()?;
    let mut missed = Vec::new();
    for (name, addresses) in visits.all() {
        let times = browser.times(addresses, arguments.requests).await?;
        let [median, late, worst] = [0.5, 0.95, 1.0].map(|part| times.at(part));
        let mark = if late < PAGE_GOAL_MS { "" } else { "  misses the goal" };
        writeln!(out, "  {name:<44} median {median:6.2} ms, 95 % {late:6.2} ms, worst {worst:6.2} ms{mark}")?;
        if late >= PAGE_GOAL_MS {
            missed.push(format!("{name} on {engine}"));
        }
    }
    let peak = program.peak_memory_mib()?;
    writeln!(out, "  memory: {idle:.1} MiB before the first page, {peak:.1} MiB at most; goal {MEMORY_GOAL_MIB}")?;
    if peak >= MEMORY_GOAL_MIB {
        missed.push(format!("memory on {engine}"));
    }
    Ok(missed)
}

/// Adds a user, and returns the token of a one-time link.
async fn add_user(store: &contentgen_server_stub::storage::Store, account_id: &str) -> anyhow::Result<BearerToken> {
    let now = SystemClock.wall();
    let user = User {
        id: id::new(Kind::User, now, &SystemRandomness),
        account_id: account_id.to_owned(),
        email: "reader@example.com".to_owned().into(),
        password_hash: None,
        created_at: now,
        last_sign_in_at: None,
    };
    store.create_user(&user).await?;
    let link = BearerToken::generate(&SystemRandomness);
    store.create_sign_in_link(&user.id, link.hash(), now.plus(SIGN_IN_LINK_LIFETIME), "operator").await?;
    Ok(link)
}
