//! The end of a scenario: waits until all work is done, collects the evidence, and runs the oracle.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::time::sleep;

use super::database::Database;
use super::evidence::Evidence;
use super::launch::retries;
use super::load::Load;
use super::oracle::{Verdict, judge};
use super::outcome::Outcome;
use super::state;
use super::world::World;

impl World {
    /// Waits until no work is left; records a fault if that takes too long.
    async fn drain(&mut self) -> Result<()> {
        let given_up_at = Instant::now() + self.patience;
        loop {
            let left = self.database.read(state::unfinished).await?;
            if left == 0 {
                return Ok(());
            }
            if Instant::now() >= given_up_at {
                let patience = self.patience.as_secs();
                self.faults.push(format!(
                    "{left} jobs, posts and deliveries were not finished {patience} s after the last disturbance"
                ));
                return Ok(());
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until all work is done, stops the servers and runs the oracle.
    pub(super) async fn finish(mut self, load: Load) -> Result<Outcome> {
        self.settle(load).await?;
        self.judge().await
    }

    /// Waits until all work is done, and stops the servers.
    pub(super) async fn settle(&mut self, load: Load) -> Result<()> {
        if let Err(error) = load.finish(self.patience).await {
            self.faults.push(format!("{error:#}"));
        }
        self.drain().await?;
        for index in 0..self.servers.len() {
            self.stop(index).await?;
        }
        Ok(())
    }

    /// Runs the oracle on the settled state.
    pub(super) async fn judge(mut self) -> Result<Outcome> {
        let (state, damage) = self.database.read(|ledger| Ok((state::read(ledger)?, ledger.damage()?))).await?;
        let evidence = Evidence {
            acknowledged: self.promises.acknowledged(),
            leads: self.promises.leads(),
            endpoints: self.endpoints.clone(),
            requests: self.receiver.received(),
            state,
            damage,
            interruptions: self.interruptions,
            retries: retries(),
            is_clock_wrong: self.launch.clock.is_some(),
            standstills: self.standstills.clone(),
        };
        let mut verdicts = vec![Verdict {
            check: self.scenario,
            sentence: "The scenario went as planned.",
            faults: std::mem::take(&mut self.faults),
        }];
        verdicts.append(&mut self.verdicts);
        verdicts.extend(judge(&evidence));
        self.conclude(&evidence, verdicts).await
    }

    async fn conclude(mut self, evidence: &Evidence, verdicts: Vec<Verdict>) -> Result<Outcome> {
        let mut accepted = HashMap::new();
        for request in evidence.requests.iter().filter(|request| request.is_accepted()) {
            *accepted.entry((request.endpoint, &request.webhook_id)).or_insert(0_usize) += 1;
        }
        self.tally.jobs = evidence.state.jobs.len();
        self.tally.articles = evidence.state.articles.len();
        self.tally.events = evidence.state.events.len();
        self.tally.deliveries = evidence.state.deliveries.len();
        self.tally.requests = evidence.requests.len();
        self.tally.duplicates = accepted.values().map(|count| count - 1).sum();
        self.tally.seconds = self.began.elapsed().as_secs_f64();
        let mut outcome = Outcome::judged(self.scenario, self.tally, verdicts);
        outcome.notes = self.notes;
        if outcome.has_failed() {
            outcome.evidence.push(self.folder.keep().display().to_string());
            if let Database::Postgres { name, .. } = &self.database {
                outcome.evidence.push(format!("database {name}"));
            }
        } else {
            self.database.remove().await?;
        }
        Ok(outcome)
    }
}
