//! Deliveries claimed and recorded on PostgreSQL while another session keeps a transaction open, beside the rate before it began.

use std::io::Write;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio_postgres::NoTls;

use crate::database::{Database, Engine};
use crate::delivery::{HOOKS, capture, claim_and_record};
use crate::receiver::Receiver;
use crate::records::owners;
use crate::verdict::{self, Goal};

/// Minimum ratio of the last rate beside the transaction to the rate before it.
const GOAL: Goal = Goal::AtLeast(0.9);

/// Measures and prints. `minutes` is the age that the transaction reaches.
pub(crate) async fn measure(engine: Engine, minutes: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let (database, store) = Database::new(engine).await?;
    if engine == Engine::Sqlite {
        writeln!(out, "  skipped: only PostgreSQL keeps deleted rows for open transactions")?;
        return Ok(());
    }
    let owner = owners(&store, 1).await?.swap_remove(0);
    let receiver = Receiver::start().await?;
    store.create_hook_endpoint(&owner.endpoint(&receiver.prompt())).await?;
    let round = async || {
        capture(&store, std::slice::from_ref(&owner), HOOKS).await?;
        claim_and_record(&store).await
    };
    round().await?;
    let before = round().await?;
    let (client, connection) = tokio_postgres::connect(&database.address(), NoTls).await?;
    let mut tasks = JoinSet::new();
    tasks.spawn(connection);
    client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1").await?;
    let began = Instant::now();
    let mut last = before;
    for minute in 1..=minutes {
        let mut rounds = 0;
        while began.elapsed() < Duration::from_mins(minute.into()) {
            last = round().await?;
            rounds += 1;
        }
        writeln!(out, "  minute {minute}: {:.0}/s in the last of {rounds} rounds of {HOOKS}", last.per_second)?;
        out.flush()?;
    }
    verdict::ratio(out, ["beside the transaction", "before"], GOAL, &[(last, before)])?;
    drop(client);
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    Ok(())
}
