//! `init`: asks what the suite needs to know about a server and writes a configuration.
//!
//! The text that is written is `init_file`'s.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use super::arguments::InitArguments;
use super::exit::Exit;
use super::file::ConfigurationFile;
use super::init_file::{Answers, HookAnswers, render};
use crate::runner::SetUpError;

/// Longest answer, in bytes, and how often one question is asked.
const MAX_ANSWER: u64 = 4 * 1024;
const MAX_TRIES: usize = 3;

/// Asks on `input`, writes the file; the error is one sentence.
pub(super) fn init(
    arguments: &InitArguments,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<Exit, SetUpError> {
    let path = &arguments.file;
    if path.exists() && !arguments.force {
        return Err(SetUpError::Configuration(format!(
            "{} is there already: name another file, or write over it with --force",
            path.display()
        )));
    }
    let mut questions = Questions { input, output, silent: arguments.yes };
    let answers = ask(&mut questions)?;
    let text = render(&answers);
    let parsed: Result<ConfigurationFile, _> = toml::from_str(&text);
    parsed.map_err(|error| SetUpError::Configuration(format!("these answers make no configuration: {error}")))?;
    write(path, &text, arguments.force).map_err(|error| {
        SetUpError::Configuration(format!("cannot write {}: {error}; name another file", path.display()))
    })?;
    // A closed pipe must not turn a written file into a failure.
    let _ = writeln!(
        output,
        "Wrote {path}. Set {key} to a key of the server, then:\n  contentgen-conformance run --config {path}",
        path = path.display(),
        key = answers.api_key_env
    );
    Ok(Exit::Conformant)
}

/// Without `--force` a file that appeared meanwhile is kept.
fn write(path: &Path, text: &str, force: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    options.open(path)?.write_all(text.as_bytes())
}

fn ask(questions: &mut Questions<'_, impl BufRead, impl Write>) -> Result<Answers, SetUpError> {
    let base_url = questions.one("Base URL of the server", "http://127.0.0.1:8080", address)?;
    let profile = questions.one("Profile: core (documented facts only) or full", "full", profile)?;
    let api_key_env = questions.one("Environment variable that holds the API key", "CONTENTGEN_API_KEY", variable)?;
    let website_id = questions.one("Website id (empty: the first active one that the server lists)", "", anything)?;
    let second = "Environment variable with the key of a second account (empty: isolation is not checked)";
    let other_api_key_env = questions.one(second, "", variable)?;
    let small = "Environment variable with a key of small quota (empty: 429 is not checked)";
    let small_quota_env = questions.one(small, "", variable)?;
    let id_from = questions.one("Where an article's id comes from: job, job_id or hook", "job", id_from)?;
    let register = "Command that registers the hook receiver at {url} (empty: hooks are not checked)";
    let register = questions.one(register, "", command)?;
    let hooks = if register.is_empty() {
        None
    } else {
        let remove = questions.one("Command that removes the registration {id} (empty: none)", "", command)?;
        let public_url = "How the server reaches this machine; {port} stands for the port";
        let public_url = questions.one(public_url, "http://127.0.0.1:{port}", address)?;
        let signed = questions.one("Does it sign as Standard Webhooks says: yes or no", "yes", yes_or_no)?;
        Some(HookAnswers { register, remove, public_url, standard_webhooks: signed == "yes" })
    };
    let capture = "URL that captures a lead, such as {base_url}/capture/{website_id} (empty: not checked)";
    let capture_url = questions.one(capture, "", anything)?;
    let organisation = questions.one("Organisation that the reports name (empty: none)", "", anything)?;
    let contact =
        questions.one("Contact that the reports name, a role and not a person (empty: none)", "", anything)?;
    Ok(Answers {
        base_url,
        profile,
        api_key_env,
        website_id,
        other_api_key_env,
        small_quota_env,
        id_from,
        hooks,
        capture_url,
        organisation,
        contact,
    })
}

/// Asks one question after the other.
struct Questions<'streams, Input, Output> {
    input: &'streams mut Input,
    output: &'streams mut Output,
    /// Takes every default.
    silent: bool,
}

impl<Input: BufRead, Output: Write> Questions<'_, Input, Output> {
    /// The answer to one question; empty lines and the end of the input take the default. `check` says what is wrong
    /// without repeating the answer, which may be a key that was pasted at the wrong place.
    fn one(&mut self, question: &str, default: &str, check: Check) -> Result<String, SetUpError> {
        let mut complaint = "";
        for _ in 0..if self.silent { 0 } else { MAX_TRIES } {
            let shown = if default.is_empty() { String::new() } else { format!(" [{default}]") };
            // Nobody may be reading the questions; the answers count.
            let _ = write!(self.output, "{question}{shown}: ");
            let _ = self.output.flush();
            let mut line = String::new();
            let read = Read::take(&mut *self.input, MAX_ANSWER).read_line(&mut line);
            read.map_err(|error| SetUpError::Configuration(format!("no answer can be read: {error}")))?;
            let answer = line.trim();
            if answer.is_empty() {
                let _ = if line.is_empty() { writeln!(self.output) } else { Ok(()) };
                return Ok(default.to_owned());
            }
            match check(answer) {
                Ok(()) => return Ok(answer.to_owned()),
                Err(wrong) => complaint = wrong,
            }
            let _ = writeln!(self.output, "  {complaint}");
        }
        if complaint.is_empty() {
            return Ok(default.to_owned());
        }
        Err(SetUpError::Configuration(format!("no usable answer to `{question}`: {complaint}")))
    }
}

/// What is wrong with an answer.
type Check = fn(&str) -> Result<(), &'static str>;

fn holds(condition: bool, complaint: &'static str) -> Result<(), &'static str> {
    if condition { Ok(()) } else { Err(complaint) }
}

fn anything(answer: &str) -> Result<(), &'static str> {
    holds(!answer.chars().any(char::is_control), "write it without control characters")
}

fn address(answer: &str) -> Result<(), &'static str> {
    let url = url::Url::parse(&answer.replace("{port}", "1"));
    let is_fit = url.is_ok_and(|url| {
        let is_public = url.username().is_empty() && url.password().is_none();
        matches!(url.scheme(), "http" | "https") && url.host_str().is_some() && is_public
    });
    holds(is_fit, "write it like http://127.0.0.1:8080 or https://api.example.com, without user and password")
}

fn profile(answer: &str) -> Result<(), &'static str> {
    holds(matches!(answer, "core" | "full"), "answer core or full")
}

fn id_from(answer: &str) -> Result<(), &'static str> {
    holds(matches!(answer, "job" | "job_id" | "hook"), "answer job, job_id or hook")
}

fn yes_or_no(answer: &str) -> Result<(), &'static str> {
    holds(matches!(answer, "yes" | "no"), "answer yes or no")
}

fn variable(answer: &str) -> Result<(), &'static str> {
    let is_name = answer.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && !answer.starts_with(|letter: char| letter.is_ascii_digit());
    holds(is_name, "write the variable's name in capitals, such as CONTENTGEN_API_KEY, and never the key itself")
}

fn command(answer: &str) -> Result<(), &'static str> {
    let words = shlex::split(answer);
    holds(words.is_some_and(|words| !words.is_empty()), "write a command with its arguments, quotes in pairs")
}
