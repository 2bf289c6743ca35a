//! Runs today's command line, as a process, against a server that implements an evolved document.

use std::path::Path;
use std::process::{Output, Stdio};

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::server::Server;
use super::service::{Mode, Service};
use super::verdict::{Failing, Verdict};
use crate::program::Program;

/// A command: its words, the server's mode, and the operation whose response it prints with `--json`, if it prints exactly one.
type Command = (&'static [&'static str], Mode, Option<&'static str>);

/// The commands that are run.
const COMMANDS: [Command; 12] = [
    (&["websites"], Mode::Plain, Some("list_websites")),
    (&["articles"], Mode::Plain, Some("list_articles")),
    (&["articles", "get", "art_1"], Mode::Plain, Some("get_article")),
    (&["leads", "--show-personal"], Mode::Plain, Some("list_leads")),
    (&["leads", "get", "lead_1"], Mode::Plain, Some("get_lead")),
    (&["jobs", "get", "job_1"], Mode::Plain, Some("get_job")),
    (&["jobs", "cancel", "job_1"], Mode::Plain, Some("cancel_job")),
    (&["generate", "A topic", "--website-id", "web_1"], Mode::Plain, Some("generate")),
    (&["posts"], Mode::Plain, Some("list_scheduled_posts")),
    (&["posts", "get", "post_1"], Mode::Plain, Some("get_scheduled_post")),
    (&["wait", "job_2"], Mode::Waiting, None),
    (&["generate", "A topic", "--website-id", "web_1", "--wait"], Mode::Waiting, None),
];
/// The command that receives errors, and its operation.
const FAILING: (&[&str], &str) = (&["jobs", "get", "job_1"], "get_job");
/// Statuses of errors that no client retries automatically.
const FINAL: [u16; 9] = [400, 402, 404, 405, 410, 413, 418, 422, 451];
/// Exit code of a process after a panic.
const PANICKED: i32 = 101;

/// Exit codes of the commands on today's document, in their order, without and with `--json`.
pub(super) type Baseline = Vec<Option<i32>>;

/// The command line, and a folder without a configuration.
#[derive(Debug)]
pub(super) struct CommandLine<'a> {
    pub(super) program: &'a Program,
    pub(super) home: &'a Path,
}

impl CommandLine<'_> {
    /// Returns the exit code of each command on a server.
    pub(super) async fn baseline(&self, server: &Server) -> Result<Baseline> {
        let mut codes = Baseline::new();
        for (words, mode, _) in COMMANDS {
            for is_json in [false, true] {
                codes.push(self.output(&server.base_url(mode), words, is_json).await?.status.code());
            }
        }
        Ok(codes)
    }

    /// Runs every command and compares its exit code with the baseline. With `--json` it must print the document that the server sent.
    pub(super) async fn run(&self, service: &Service, server: &Server, baseline: &Baseline) -> Result<Verdict> {
        let mut verdict = Verdict::default();
        let runs = COMMANDS.into_iter().flat_map(|command| [false, true].map(|is_json| (command, is_json)));
        for (((words, mode, operation), is_json), expected) in runs.zip(baseline) {
            verdict.commands += 1;
            let output = self.output(&server.base_url(mode), words, is_json).await?;
            let name = format!("contentgen {}{}", words.join(" "), if is_json { " --json" } else { "" });
            let errors = String::from_utf8_lossy(&output.stderr);
            if output.status.code() == Some(PANICKED) {
                verdict.fail(Failing::Panic, format!("{name}: {errors}"));
            } else if output.status.code() != *expected {
                verdict.fail(Failing::CommandLine, format!("{name} ended with {}: {errors}", output.status));
            } else if output.stdout.is_empty() {
                verdict.fail(Failing::CommandLine, format!("{name} printed nothing"));
            } else if let Some(operation) = operation.filter(|_| is_json) {
                let place = service.operation(operation).with_context(|| format!("the document has no {operation}"))?;
                if documents(&output.stdout) != Some(sent(service, &place)) {
                    verdict.fail(Failing::CommandLine, format!("{name} did not print what was sent"));
                }
            }
        }
        self.error(&mut verdict, service, server).await?;
        Ok(verdict)
    }

    /// Checks that the command line prints an error with its code, whether it knows the code or not.
    async fn error(&self, verdict: &mut Verdict, service: &Service, server: &Server) -> Result<()> {
        let (words, operation) = FAILING;
        let place = service.operation(operation).with_context(|| format!("the document has no {operation}"))?;
        let errors = service.errors(&place);
        let mut tried: Vec<usize> = (0..errors.len()).filter(|index| FINAL.contains(&errors[*index].status)).collect();
        // New codes come first.
        tried.sort_by_key(|index| !service.known.added_values.contains(&errors[*index].code));
        let Some(index) = tried.first().copied() else { return Ok(()) };
        verdict.commands += 1;
        let output = self.output(&server.base_url(Mode::Error(index)), words, true).await?;
        let lines = documents(&output.stderr).unwrap_or_default();
        let code = lines.iter().find_map(|line| line["error"]["code"].as_str());
        if output.status.code() == Some(PANICKED) {
            verdict.fail(Failing::Panic, String::from_utf8_lossy(&output.stderr));
        } else if output.status.success() || code != Some(errors[index].code.as_str()) {
            let what = format!("contentgen {}: {} was reported as {code:?}", words.join(" "), errors[index].code);
            verdict.fail(Failing::CommandLine, what);
        }
        Ok(())
    }

    async fn output(&self, base_url: &str, words: &[&str], is_json: bool) -> Result<Output> {
        let mut command = tokio::process::Command::new(self.program.path());
        command.args(words).args(is_json.then_some("--json"));
        // The caller's environment variables must not affect the trial.
        command.env_clear().env("HOME", self.home).env("CONTENTGEN_API_KEY", "key");
        command.env("CONTENTGEN_BASE_URL", base_url).stdin(Stdio::null()).kill_on_drop(true);
        command.output().await.context("the command line cannot be run")
    }
}

/// Parses the printed documents: one per line, or one over several lines.
fn documents(output: &[u8]) -> Option<Vec<Value>> {
    serde_json::Deserializer::from_slice(output).into_iter::<Value>().collect::<Result<_, _>>().ok()
}

/// Returns the documents that the server sent: the items of both pages of a list, or one document.
fn sent(service: &Service, place: &str) -> Vec<Value> {
    let first = service.success(place, false).body;
    let Some(items) = first.get("items").and_then(Value::as_array) else { return vec![first] };
    let second = service.success(place, true).body;
    items.iter().chain(second["items"].as_array().into_iter().flatten()).cloned().collect()
}
