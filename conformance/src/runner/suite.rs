//! A whole run: set-up, what everything shares, the report of it.
//!
//! Which requirements run, and in which order, is `stage`'s.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clock::unix_seconds;
use super::contract::Contract;
use super::event::{Event, Sink};
use super::latency::Latency;
use super::observers::Observers;
use super::outcome::Run;
use super::preflight::{self, Preflight};
use super::quotas::{Cost, Estimate, Quota, Workload};
use super::receiver::Receiver;
use super::set_up::SetUpError;
use super::settings::Settings;
use super::stage::Stage;
use super::target::Target;
use super::transport::Transport;
use crate::check::{Capability, Channel, Context, Facts, Requirement};
use crate::spec::Profile;
use crate::strategies::Space;

/// Longest time for the first questions where no `max_time` is set, and how many they are at most: a target may be asked at a low
/// rate.
const MAX_PREFLIGHT: Duration = Duration::from_mins(5);
const MAX_QUESTIONS: u32 = 30;

/// A suite about to run against one target.
#[derive(Debug)]
pub struct Suite {
    contract: Arc<dyn Contract>,
    target: Target,
    settings: Settings,
}

impl Suite {
    /// A suite that judges `target` by `contract`, with default settings.
    pub fn new(contract: impl Contract + 'static, target: Target) -> Self {
        Self { contract: Arc::new(contract), target, settings: Settings::default() }
    }

    /// Takes other settings.
    #[must_use]
    pub fn with(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Demands that profile.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.settings.profile = profile;
        self
    }

    /// Runs everything and tells `sink` about it.
    ///
    /// # Errors
    /// When the run cannot begin: bad configuration, an unreachable target, a refused key. What the target
    /// does wrong afterwards is part of the returned run.
    pub async fn run(self, sink: Sink<'_>) -> Result<Run, SetUpError> {
        let begun = Instant::now();
        let started = unix_seconds();
        let settings = &self.settings;
        let run = format!("{:x}{:04x}", started, rand::random::<u16>());
        let contract = &*self.contract;
        contract.accepts(&self.target)?;
        let document = contract.document(settings.profile)?;
        let transport = Arc::new(Transport::new(&self.target)?);
        let questions = preflight::ask(contract, &self.target, &transport, settings.profile, (started, run.clone()));
        let limit = settings.max_time.unwrap_or_else(|| MAX_PREFLIGHT + transport.interval() * MAX_QUESTIONS);
        let Preflight { mut facts, mut notes } = tokio::time::timeout(limit, questions).await.map_err(|_| {
            SetUpError::Target(format!(
                "the target at {} was too slow to answer the first questions in the time for them",
                self.target.base_url
            ))
        })??;
        let receiver = match &self.target.hooks {
            Some(hooks) => Some(Receiver::start(hooks, &run).await?),
            None => None,
        };
        let log = receiver.as_ref().map(|receiver| Arc::clone(&receiver.log));
        if log.as_ref().is_some_and(|log| log.secret().is_some()) {
            facts.capabilities.insert(Capability::STANDARD_WEBHOOKS);
        }
        facts.secrets = facts.secrets.and(log.as_ref().and_then(|log| log.secret()));
        let facts = Arc::new(facts);
        let mut requirements = settings.requirements(contract.catalogue());
        let space = contract.space(Arc::clone(&document), &facts);
        let estimate = estimate(contract, settings, &requirements, &space, &facts, transport.quotas());
        notes.extend(estimate.remark.as_ref().map(|remark| facts.secrets.mask(remark)));
        estimate.put_in_order(&mut requirements);
        sink(Event::Started { seed: settings.seed, requirements: requirements.len(), facts: &facts, notes: &notes });
        let observers = Arc::new(Observers::new(&requirements));
        let latency = Arc::new(Latency::default());
        let cost = Arc::new(Cost::new(Arc::clone(&self.contract), Arc::clone(&facts)));
        let tap = {
            let (observers, document, facts) = (Arc::clone(&observers), Arc::clone(&document), Arc::clone(&facts));
            let (latency, cost) = (Arc::clone(&latency), Arc::clone(&cost));
            Arc::new(move |exchange: &Arc<_>, origin: Option<&Arc<_>>| {
                latency.record(exchange);
                cost.record(exchange, origin);
                observers.look(&document, &facts, exchange, origin);
            })
        };
        let channel: Arc<dyn Channel> = Arc::clone(&transport) as Arc<dyn Channel>;
        let context = Context::new(Arc::clone(&document), Arc::clone(&facts), channel, log, tap);
        let deadline = settings.max_time.map(|limit| begun + limit);
        let stage = Stage::new(contract, settings, space, context, Arc::clone(&transport), observers, sink)
            .until(deadline)
            .held_up_by_quotas(estimate.is_held_up());
        let mut results = stage.run_all(&requirements).await;
        for result in &mut results {
            result.requests = cost.of(result.requirement.id);
        }
        let mut facts = Facts::clone(&facts);
        if let Some(receiver) = &receiver {
            receiver.remove().await;
            for secret in receiver.log.endpoints().secrets() {
                facts.secrets = facts.secrets.and(Some(secret));
            }
        }
        let run = Run {
            profile: settings.profile,
            selection: settings.selection.clone(),
            shard: settings.shard,
            strict: settings.strict,
            flaky: settings.flaky,
            retries: settings.retries,
            seed: settings.seed,
            cases: settings.cases,
            own_texts: contract.own_texts(&facts),
            facts: Arc::new(facts),
            target_flag: self.target.flag.clone(),
            key_variables: self.target.key_variables.clone(),
            secret_variables: self.target.keys().into_iter().map(|(_, variable)| variable).collect(),
            notes,
            document_version: document.version().to_owned(),
            document_digest: document.digest().to_owned(),
            started,
            begun,
            duration: begun.elapsed(),
            exchanges: transport.exchanges(),
            hook_latency: receiver.as_ref().and_then(|receiver| receiver.log.latency()),
            latency: latency.summary(),
            results,
        };
        sink(Event::Finished(&run));
        Ok(run)
    }
}

/// What the quotas that the target has announced so far mean for the requirements that can run before it.
fn estimate(
    contract: &dyn Contract,
    settings: &Settings,
    requirements: &[Arc<Requirement>],
    space: &Space,
    facts: &Facts,
    announced: Vec<Quota>,
) -> Estimate {
    let can_run = |one: &&Arc<Requirement>| one.needs.iter().all(|need| facts.capabilities.contains(need));
    let requirements: Vec<_> = requirements.iter().filter(can_run).map(Arc::clone).collect();
    let workload = Workload {
        requirements: &requirements,
        space,
        cases: settings.cases,
        max_time: settings.max_time,
        measured: contract.measured_costs(),
    };
    Estimate::new(&workload, announced, contract.unannounced_quotas(space.document(), facts))
}
