//! `database-away`: no process can write for a while. On SQLite another process holds the lock; PostgreSQL's connections are cut.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tokio::time::sleep;

use super::super::database::Database;
use super::super::launch::Launch;
use super::super::outcome::Outcome;
use super::super::proxy::Proxy;
use super::super::report::Progress;
use super::super::world::World;
use super::{Plan, Scenario};

pub(super) async fn run(plan: &Plan, progress: &Progress) -> Result<Outcome> {
    let mut world = World::new(plan, Scenario::DatabaseAway.as_str(), 4, Launch::default()).await?;
    let proxy = detour(&mut world).await?;
    world.start_all()?;
    // A server need not be able to start without a database.
    if !world.wait_until_ready().await? {
        return world.judge().await;
    }
    world.patience += plan.away;
    let load = world.load(plan.few(), Duration::from_secs(2));
    world.live(700, 1000).await;
    progress.say(format!("away for {} s", plan.away.as_secs()));
    let away = plan.away;
    match (&world.database, &proxy) {
        (Database::Sqlite(path), _) => {
            let path = path.clone();
            tokio::task::spawn_blocking(move || hold_lock(&path, away)).await??;
        }
        (Database::Postgres { .. }, Some(proxy)) => {
            proxy.cut(true);
            sleep(away).await;
            proxy.cut(false);
        }
        (Database::Postgres { .. }, None) => unreachable!("a database in a server has its detour"),
    }
    world.interruptions += 1;
    progress.say("back".to_owned());
    for index in 0..world.servers.len() {
        if let Some(status) = world.server(index)?.ended()? {
            world.faults.push(format!("process {index} ended while the database was unavailable: {status}"));
        }
    }
    let outcome = world.finish(load).await;
    drop(proxy);
    outcome
}

/// Makes the servers connect to a PostgreSQL database through a proxy.
async fn detour(world: &mut World) -> Result<Option<Proxy>> {
    let Database::Postgres { own, .. } = &world.database else { return Ok(None) };
    let mut through = own.clone();
    let host = own.host_str().context("--database-url has no host")?;
    let proxy = Proxy::start(format!("{host}:{}", own.port().unwrap_or(5432))).await?;
    through.set_ip_host(proxy.address().ip()).ok().context("the address of the proxy cannot be set")?;
    through.set_port(Some(proxy.address().port())).ok().context("the port of the proxy cannot be set")?;
    world.detour = Some(through.to_string());
    Ok(Some(proxy))
}

fn hold_lock(path: &Path, time: Duration) -> Result<()> {
    let connection = rusqlite::Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    std::thread::sleep(time);
    Ok(connection.execute_batch("ROLLBACK")?)
}
