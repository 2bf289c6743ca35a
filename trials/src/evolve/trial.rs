//! Runs a trial: several evolutions at a time, each on a separate server.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::LocalSet;
use xtask::compatibility::{Document, Kind, compare};
use xtask::composition::compose;

use super::additions::AdditionKind;
use super::calls;
use super::command_line::{Baseline, CommandLine};
use super::evolution::{Evolution, ForbiddenEvolution};
use super::hooks;
use super::sampler::Known;
use super::server::Server;
use super::service::Service;
use super::verdict::{Failing, Verdict};
use crate::program::Program;

/// The set-up that all evolutions share.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) seed: u64,
    today: Document,
    known: Known,
    /// The command line, and its exit codes on today's document; without it only the SDK is tried.
    command_line: Option<(Program, Baseline)>,
    home: TempDir,
}

/// Result of an evolution that the policy allows.
#[derive(Debug)]
pub(super) struct Tried {
    pub(super) evolution: Evolution,
    pub(super) verdict: Verdict,
}

/// Result of an evolution that the policy forbids.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) evolution: ForbiddenEvolution,
    pub(super) verdict: Verdict,
}

/// Number of changes of each kind.
pub(super) type Counts<K> = BTreeMap<K, usize>;

impl Trial {
    /// Creates a trial of the document in the workspace; with a program, the trial includes the command line.
    pub(super) async fn new(document: &str, seed: u64, program: Option<Program>) -> Result<Self> {
        let mut root = Document::parse(document)?.root().clone();
        compose(&mut root);
        let today = Document::new(root)?;
        let known = Known::of(today.root());
        let home = tempfile::tempdir().context("cannot create a temporary folder")?;
        let mut trial = Self { seed, today, known, command_line: None, home };
        if let Some(program) = program {
            let service = Arc::new(trial.service(trial.today.root(), 0));
            let server = Server::start(service).await?;
            let baseline = CommandLine { program: &program, home: trial.home.path() }.baseline(&server).await?;
            trial.command_line = Some((program, baseline));
        }
        Ok(trial)
    }

    fn service(&self, document: &Value, number: u64) -> Service {
        let known = Arc::new(self.known.compared_with(document));
        Service::new(document.clone(), known, self.seed, number)
    }

    /// Returns the exit codes of the command line on today's document.
    pub(super) fn baseline(&self) -> Option<&Baseline> {
        self.command_line.as_ref().map(|(_, baseline)| baseline)
    }

    /// Tries evolutions, several at a time; reports each one that ended.
    pub(super) fn allowed(
        &self,
        numbers: &[u64],
        at_a_time: usize,
        ended: impl Fn(&Tried) + Sync,
    ) -> Result<Vec<Tried>> {
        let next = AtomicUsize::new(0);
        let tried = Mutex::new(Vec::with_capacity(numbers.len()));
        std::thread::scope(|scope| {
            // Each worker is a thread with a separate runtime: a pagination future cannot move between threads.
            let worker = || {
                on_this_thread(async {
                    while let Some(number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let outcome = self.one(*number).await?;
                        ended(&outcome);
                        tried.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
                    }
                    Ok(())
                })
            };
            let workers: Vec<_> = (0..at_a_time).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(outcome) => outcome,
                Err(_) => bail!("the trial itself panicked; see its message above"),
            })
        })?;
        let mut tried = tried.into_inner().unwrap_or_else(PoisonError::into_inner);
        tried.sort_by_key(|outcome: &Tried| outcome.evolution.number);
        Ok(tried)
    }

    /// Tries one evolution.
    pub(super) async fn one(&self, number: u64) -> Result<Tried> {
        let evolution = Evolution::allowed(self.today.root(), self.seed, number)?;
        let mut verdict = self.judge_allowed(&evolution)?;
        verdict.add(self.run(&evolution).await?);
        Ok(Tried { evolution, verdict })
    }

    /// Runs the programs against a server that speaks the evolution.
    pub(super) async fn run(&self, evolution: &Evolution) -> Result<Verdict> {
        let service = Arc::new(self.service(&evolution.document, evolution.number));
        let today = self.service(self.today.root(), evolution.number);
        let server = Server::start(Arc::clone(&service)).await?;
        let mut verdict = calls::run(&service, &today, &server).await?;
        verdict.add(hooks::run(&service)?);
        if let Some((program, baseline)) = &self.command_line {
            let command_line = CommandLine { program, home: self.home.path() };
            verdict.add(command_line.run(&service, &server, baseline).await?);
        }
        Ok(verdict)
    }

    /// Checks that the judge finds no breaking change, and at least one addition.
    fn judge_allowed(&self, evolution: &Evolution) -> Result<Verdict> {
        let mut verdict = Verdict::default();
        let report = compare(&self.today, &Document::new(evolution.document.clone())?);
        for change in &report.breaking {
            let what = format!("an allowed change is reported as {} at {}: {}", change.kind, change.place, change.what);
            verdict.fail(Failing::Judgement, what);
        }
        if report.additions.is_empty() {
            verdict.fail(Failing::Judgement, "no addition was reported");
        }
        Ok(verdict)
    }

    /// Checks that the judge names the change by its kind, at its place.
    pub(super) fn forbidden(&self, number: u64) -> Result<Judged> {
        let evolution = ForbiddenEvolution::make(self.today.root(), self.seed, number)?;
        let mut verdict = Verdict::default();
        let report = compare(&Document::new(evolution.before.clone())?, &Document::new(evolution.document.clone())?);
        let place = format!("#{}", evolution.change.place);
        let is_there = |found: &str| found.starts_with(&place) || place.starts_with(found);
        let kind: Kind = evolution.change.kind;
        if !report.breaking.iter().any(|change| change.kind == kind && is_there(&change.place)) {
            let found: Vec<String> =
                report.breaking.iter().map(|change| format!("{} at {}", change.kind, change.place)).collect();
            let what = format!("{kind} at {place} ({}) was not reported; found: {found:?}", evolution.change.what);
            verdict.fail(Failing::Judgement, what);
        }
        Ok(Judged { evolution, verdict })
    }
}

/// Runs a future that cannot move between threads.
pub(super) fn on_this_thread<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, work)
}

/// Counts the changes of each kind in some evolutions.
pub(super) fn counts(tried: &[Tried]) -> Counts<AdditionKind> {
    let mut counts: Counts<AdditionKind> = AdditionKind::ALL.iter().map(|kind| (*kind, 0)).collect();
    for outcome in tried {
        outcome.evolution.count_into(&mut counts);
    }
    counts
}

/// Returns the path for the evolved document of a failure.
pub(super) fn evidence_path(root: &std::path::Path, name: &str) -> PathBuf {
    root.join("target/evolve").join(format!("{name}.json"))
}
