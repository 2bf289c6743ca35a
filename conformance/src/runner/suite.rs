//! A whole run: set-up, shared state, results.
//!
//! `stage` decides which requirements run, and in which order.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::clock::unix_seconds;
use super::contract::Contract;
use super::declared_limits;
use super::event::{Event, Sink};
use super::outcome::Run;
use super::preflight::{self, Preflight};
use super::quotas::{Estimate, Quota, Workload};
use super::receiver::Receiver;
use super::records::Records;
use super::settings::Settings;
use super::stage::Stage;
use super::target::{SetUpError, Target};
use super::transport::Transport;
use crate::check::{Capability, Channel, Context, Facts, Level, Requirement};
use crate::lateness::Lateness;
use crate::spec::{Document, Profile};
use crate::strategies::Space;

/// Maximum time for the first questions if `max_time` is not set, and their maximum number. The configured rate may be low.
const MAX_PREFLIGHT: Duration = Duration::from_mins(5);
const MAX_QUESTIONS: u32 = 30;

/// A suite that is ready to run against one target.
#[derive(Debug)]
pub struct Suite {
    contract: Arc<dyn Contract>,
    target: Target,
    settings: Settings,
}

impl Suite {
    /// Returns a suite that checks `target` against `contract`, with default settings.
    pub fn new(contract: impl Contract + 'static, target: Target) -> Self {
        Self { contract: Arc::new(contract), target, settings: Settings::default() }
    }

    /// Sets the settings.
    #[must_use]
    pub fn with(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the profile.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.settings.profile = profile;
        self
    }

    /// Asks the first questions within their time limit.
    async fn questions(
        &self,
        transport: &Arc<Transport>,
        lateness: &Lateness,
        (started, run): (i64, String),
    ) -> Result<Preflight, SetUpError> {
        let Settings { profile, max_time, .. } = self.settings;
        let questions = preflight::ask(&*self.contract, &self.target, transport, profile, (started, run));
        let limit = max_time.unwrap_or_else(|| MAX_PREFLIGHT + transport.interval() * MAX_QUESTIONS);
        let answered = tokio::select! {
            answered = lateness.within(limit, questions) => answered,
            never = lateness.watch() => match never {},
        };
        answered.ok_or_else(|| {
            SetUpError::Target(format!(
                "the target at {} did not respond to the first requests of the suite in time; give the run more time with --max-time, or check the target",
                self.target.base_url
            ))
        })?
    }

    /// Returns the requirements of the run. Those that are newer than the version of the document that the target declares only warn, and a
    /// note says so.
    fn requirements(&self, document: &Document, notes: &mut Vec<String>) -> Result<Vec<Arc<Requirement>>, SetUpError> {
        let mut requirements = self.settings.requirements(self.contract.catalogue());
        let Some(declared) = self.target.document_version else { return Ok(requirements) };
        let (first, last) = (requirements.iter().map(|one| one.since).min(), document.version().parse().ok());
        if first.is_some_and(|first| declared < first) || last.is_some_and(|last| declared > last) {
            let first = first.map_or_else(String::new, |first| format!("from {first} "));
            return Err(SetUpError::Configuration(format!(
                "target.document_version: this suite knows the documents {first}to {}, and not {declared}",
                document.version()
            )));
        }
        let mut newer = 0;
        for requirement in requirements.iter_mut().filter(|requirement| requirement.since > declared) {
            Arc::make_mut(requirement).level = Level::Should;
            newer += 1;
        }
        if newer > 0 {
            notes.push(format!(
                "requirements that are newer than document {declared}, which the target declares, only warn: {newer}"
            ));
        }
        Ok(requirements)
    }

    /// Runs everything and emits events to `sink`.
    ///
    /// # Errors
    /// Returns an error if the run cannot begin: bad configuration, an unreachable target, a rejected key. Later faults
    /// of the target are part of the returned run.
    pub async fn run(self, sink: Sink<'_>) -> Result<Run, SetUpError> {
        let begun = Instant::now();
        let started = unix_seconds();
        let settings = &self.settings;
        let run = format!("{:x}{:04x}", started, rand::random::<u16>());
        let contract = &*self.contract;
        contract.accepts(&self.target)?;
        let defaults = contract.document(settings.profile)?;
        let document = declared_limits::document(&defaults, &self.target.declared_limits)?;
        let lateness = Lateness::default();
        let transport = Arc::new(Transport::new(&self.target, lateness.clone())?);
        let questions = self.questions(&transport, &lateness, (started, run.clone()));
        let Preflight { mut facts, mut notes } = Box::pin(questions).await?;
        notes.extend(declared_limits::remark(&defaults, &self.target.declared_limits));
        let receiver = match &self.target.hooks {
            Some(hooks) => Some(Receiver::start(hooks, &run, lateness.clone()).await?),
            None => None,
        };
        let log = receiver.as_ref().map(|receiver| Arc::clone(&receiver.log));
        if log.as_ref().is_some_and(|log| log.secret().is_some()) {
            facts.capabilities.insert(Capability::STANDARD_WEBHOOKS);
        }
        facts.secrets = facts.secrets.and(log.as_ref().and_then(|log| log.secret()));
        let facts = Arc::new(facts);
        let mut requirements = self.requirements(&document, &mut notes)?;
        let space = contract.space(Arc::clone(&document), &facts);
        let quotas = declared_limits::quotas(&document, &self.target.declared_limits, transport.quotas());
        let estimate = estimate(contract, settings, &requirements, &space, &facts, quotas);
        notes.extend(estimate.remark.as_ref().map(|remark| facts.secrets.mask(remark)));
        if estimate.is_held_up() || settings.max_time.is_some() {
            settings.put_in_order(&mut requirements, &estimate);
        }
        sink(Event::Started { seed: settings.seed, requirements: requirements.len(), facts: &facts, notes: &notes });
        let records = Records::new(&self.contract, settings, &requirements, &facts)?;
        let tap = records.tap(&document, &facts);
        let channel: Arc<dyn Channel> = Arc::clone(&transport) as Arc<dyn Channel>;
        let context = Context::new(Arc::clone(&document), Arc::clone(&facts), channel, log, tap, lateness.clone());
        let deadline = settings.max_time.map(|limit| begun + limit);
        let stage = Stage::new(
            contract,
            settings,
            space,
            context,
            Arc::clone(&transport),
            Arc::clone(&records.observers),
            sink,
        )
        .until(deadline)
        .held_up_by_quotas(estimate.is_held_up());
        let mut results = tokio::select! {
            results = Box::pin(stage.run_all(&requirements)) => results,
            never = lateness.watch() => match never {},
        };
        let late = late_remark(lateness.total(), begun.elapsed());
        records.complete(&mut results);
        let mut facts = Facts::clone(&facts);
        let left = take_back(&mut facts, receiver.as_ref()).await;
        for note in late.into_iter().chain(left).map(|note| facts.secrets.mask(&note)) {
            sink(Event::Noted(&note));
            notes.push(note);
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
            command: contract.command(),
            target_flag: self.target.flag.clone(),
            key_variables: self.target.key_variables.clone(),
            extra_headers: self.target.headers.clone(),
            secret_variables: self.target.keys().into_iter().map(|key| key.variable).collect(),
            notes,
            document_version: document.version().to_owned(),
            document_digest: document.digest().to_owned(),
            declared_version: self.target.document_version,
            started,
            begun,
            duration: begun.elapsed(),
            exchanges: transport.exchanges(),
            hook_latency: receiver.as_ref().and_then(|receiver| receiver.log.latency()),
            latency: records.latency.summary(),
            coverage: records
                .coverage
                .coverage()
                .beside(contract.measured_coverage(), &|part| contract.unreachable(part)),
            choices: records.choices.choices(),
            archived: records.archive.take(),
            left_out: settings.left_out(contract.catalogue(), &requirements),
            results,
        };
        sink(Event::Finished(&run));
        Ok(run)
    }
}

/// Returns a remark about a machine with more work than cores, whose timers were late for a tenth of the run.
fn late_remark(late: Duration, duration: Duration) -> Option<String> {
    (late > duration / 10).then(|| {
        format!(
            "the machine was slow: the suite's timers were {:.0} s late in {:.0} s, by which the suite extended its time limits",
            late.as_secs_f64(),
            duration.as_secs_f64()
        )
    })
}

/// Reverts the changes of the run at the target. Returns a remark for each that remains. Also adds the secrets of all endpoints to `facts`.
async fn take_back(facts: &mut Facts, receiver: Option<&Receiver>) -> Vec<String> {
    let mut left: Vec<String> = left_paused(facts).await.into_iter().collect();
    left.extend(left_broken(facts).await);
    if let Some(receiver) = receiver {
        left.extend(left_registered(&receiver.remove().await));
        for secret in receiver.log.endpoints().secrets() {
            facts.secrets = facts.secrets.clone().and(Some(secret));
        }
    }
    left
}

/// Resumes a website that a cancelled check left paused. Returns a remark if that fails.
async fn left_paused(facts: &Facts) -> Option<String> {
    let restored = facts.pausable.as_ref()?.restore().await;
    restored
        .err()
        .map(|error| format!("the website that was paused for a check is still paused: {error}; resume it by hand"))
}

/// Repairs a writer that a cancelled check left broken. Returns a remark if that fails.
async fn left_broken(facts: &Facts) -> Option<String> {
    let error = facts.writer.as_ref()?.repair().await.err()?;
    Some(format!("the writer that was broken for a check is still broken: {error}; repair it by hand"))
}

/// Returns a remark about addresses that could not be removed.
fn left_registered(errors: &[String]) -> Option<String> {
    match errors {
        [] => None,
        [only] => Some(format!("one of the suite's webhook endpoints is still registered: {only}")),
        [first, ..] => Some(format!(
            "{} of the suite's webhook endpoints are still registered, for example: {first}",
            errors.len()
        )),
    }
}

/// Estimates the effect of the `known` quotas on the requirements that can run before the target.
fn estimate(
    contract: &dyn Contract,
    settings: &Settings,
    requirements: &[Arc<Requirement>],
    space: &Space,
    facts: &Facts,
    known: Vec<Quota>,
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
    Estimate::new(&workload, known, contract.unannounced_quotas(space.document(), facts))
}
