//! Carries out a plan: many servers at a time, each with its own threads, and reports each result at once.
//!
//! `attempt` tries one server.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use contentgen_faults::catalogue::Fault;

use super::attempt::{attempt, healthy as healthy_run};
use super::matrix::{HealthyRun, Matrix, Trial, VERSION, Verdict};
use super::plan::Plan;

/// A result.
#[derive(Debug)]
pub enum News<'run> {
    /// A run against the healthy server ended.
    Healthy(&'run HealthyRun),
    /// A fault or a variant was tried.
    Tried(&'run Trial),
}

/// A server to try.
enum Task {
    Healthy(u64),
    Fault(Fault),
}

enum Done {
    /// The run, and the requirements that failed.
    Healthy(HealthyRun, Vec<&'static str>),
    Tried(Trial),
}

/// Carries out `plan`. Reports each result with the number of finished tasks and the number of all tasks.
pub fn run(plan: &Plan, tell: &mut dyn FnMut(News<'_>, usize, usize)) -> Matrix {
    let begun = Instant::now();
    let mut tasks: VecDeque<Task> = plan.healthy_seeds().map(Task::Healthy).collect();
    let mut healthy = Vec::new();
    let mut plan = plan.clone();
    let count = tasks.len() + plan.faults().len();
    if plan.origin.is_shared() {
        // Failures of the healthy server must be known first, because they show nothing about a fault.
        for task in tasks.drain(..) {
            if let Done::Healthy(run, failing) = carry_out(&plan, task) {
                let could_not_run = failing.is_empty() && !run.failed.is_empty();
                plan.failing.extend(failing.into_iter().map(ToOwned::to_owned));
                healthy.push(run);
                tell(News::Healthy(&healthy[healthy.len() - 1]), healthy.len(), count);
                if could_not_run {
                    // No fault can be decided, for the same reason.
                    return matrix(&plan, healthy, plan.known.clone(), begun.elapsed());
                }
            }
        }
    }
    let (plan, told) = (&plan, healthy.len());
    tasks = in_turn(tasks, plan.faults());
    let tasks = Mutex::new(tasks);
    let (sender, receiver) = mpsc::channel();
    let mut trials = plan.known.clone();
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            let (tasks, sender) = (&tasks, sender.clone());
            scope.spawn(move || {
                while let Some(task) = next(tasks) {
                    // The receiver is only gone after a panic, which ends everything.
                    let _ = sender.send(carry_out(plan, task));
                }
            });
        }
        drop(sender);
        for (number, done) in receiver.iter().enumerate() {
            let number = told + number;
            match done {
                Done::Healthy(run, _) => {
                    tell(News::Healthy(&run), number + 1, count);
                    healthy.push(run);
                }
                Done::Tried(trial) => {
                    tell(News::Tried(&trial), number + 1, count);
                    trials.push(trial);
                }
            }
        }
    });
    healthy.sort_by_key(|run: &HealthyRun| run.seed);
    trials.sort_by_key(|trial| (trial.area == "benign", trial.name.clone()));
    matrix(plan, healthy, trials, begun.elapsed())
}

/// Alternates whole runs, which keep a core busy, with faults of webhooks, which mostly wait. All other faults follow.
fn in_turn(healthy: VecDeque<Task>, faults: Vec<Fault>) -> VecDeque<Task> {
    let (hooks, rest): (Vec<Fault>, Vec<Fault>) = faults.into_iter().partition(|fault| fault.area() == "hooks");
    let mut waiting = hooks.into_iter().map(Task::Fault);
    let mut tasks = VecDeque::new();
    for busy in healthy.into_iter().chain(rest.into_iter().map(Task::Fault)) {
        tasks.push_back(busy);
        tasks.extend(waiting.next());
    }
    tasks.extend(waiting);
    tasks
}

fn next(tasks: &Mutex<VecDeque<Task>>) -> Option<Task> {
    tasks.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
}

fn carry_out(plan: &Plan, task: Task) -> Done {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match (task, runtime) {
        (Task::Healthy(seed), Ok(runtime)) => {
            let begun = Instant::now();
            let ran = runtime.block_on(healthy_run(plan, seed));
            let (failing, failed) = ran.unwrap_or_else(|error| (Vec::new(), vec![error.to_string()]));
            Done::Healthy(HealthyRun { seed, failed, seconds: begun.elapsed().as_secs_f64() }, failing)
        }
        (Task::Fault(fault), Ok(runtime)) => Done::Tried(runtime.block_on(attempt(plan, fault))),
        (Task::Healthy(seed), Err(error)) => {
            Done::Healthy(HealthyRun { seed, failed: vec![error.to_string()], seconds: 0.0 }, Vec::new())
        }
        (Task::Fault(fault), Err(error)) => Done::Tried(Trial::new(fault, Verdict::Broken, Some(error.to_string()))),
    }
}

/// Returns the results of `plan`.
fn matrix(plan: &Plan, healthy: Vec<HealthyRun>, trials: Vec<Trial>, duration: Duration) -> Matrix {
    Matrix {
        version: VERSION,
        suite_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: plan.seed,
        cases: plan.cases,
        full: plan.is_full,
        seconds: duration.as_secs_f64(),
        healthy,
        areas: Matrix::areas(&trials),
        trials,
    }
}
