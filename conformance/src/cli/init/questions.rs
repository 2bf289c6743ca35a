//! Asks one question after the other and checks the answers.

use std::io::{BufRead, Read, Write};

use crate::cli::arguments::duration;
use crate::cli::placeholder::in_script;
use crate::runner::SetUpError;

/// Maximum length of an answer in bytes, and maximum number of times that a question is asked.
const MAX_ANSWER: u64 = 4 * 1024;
pub(super) const MAX_TRIES: usize = 3;

/// Asks one question after the other.
pub(super) struct Questions<'streams, Input, Output> {
    input: &'streams mut Input,
    output: &'streams mut Output,
    /// True if every default is used without asking.
    is_silent: bool,
    /// True if the input has ended, so that the user cannot correct an answer.
    has_ended: bool,
}

impl<'streams, Input: BufRead, Output: Write> Questions<'streams, Input, Output> {
    /// Asks on `output` and reads from `input`. Asks nothing if `is_silent`.
    pub(super) fn new(input: &'streams mut Input, output: &'streams mut Output, is_silent: bool) -> Self {
        Self { input, output, is_silent, has_ended: false }
    }

    /// Returns true if there is no user to answer.
    pub(super) fn is_alone(&self) -> bool {
        self.is_silent || self.has_ended
    }

    /// Writes text on separate lines.
    pub(super) fn tell(&mut self, text: &str) {
        // The output may be closed.
        let _ = writeln!(self.output, "{text}");
    }

    /// Returns the answer to one question. Empty lines and the end of the input select the default. The error of
    /// `check` never repeats the answer, which may be a key pasted at the wrong place.
    pub(super) fn one(&mut self, question: &str, default: &str, check: Check) -> Result<String, SetUpError> {
        let mut complaint = "";
        for _ in 0..if self.is_silent { 0 } else { MAX_TRIES } {
            let shown = if default.is_empty() { String::new() } else { format!(" [{default}]") };
            // The output may be closed; only the answers count.
            let _ = write!(self.output, "{question}{shown}: ");
            let _ = self.output.flush();
            let mut line = String::new();
            let read = Read::take(&mut *self.input, MAX_ANSWER).read_line(&mut line);
            read.map_err(|error| SetUpError::Configuration(format!("cannot read the answer: {error}")))?;
            let answer = line.trim();
            if answer.is_empty() {
                self.has_ended |= line.is_empty();
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

/// Check of an answer; its error describes the problem.
type Check = fn(&str) -> Result<(), &'static str>;

fn holds(condition: bool, complaint: &'static str) -> Result<(), &'static str> {
    if condition { Ok(()) } else { Err(complaint) }
}

pub(super) fn anything(answer: &str) -> Result<(), &'static str> {
    holds(!answer.chars().any(char::is_control), "write it without control characters")
}

pub(super) fn address(answer: &str) -> Result<(), &'static str> {
    let url = url::Url::parse(&answer.replace("{port}", "1"));
    let is_fit = url.is_ok_and(|url| {
        let is_public = url.username().is_empty() && url.password().is_none();
        matches!(url.scheme(), "http" | "https") && url.host_str().is_some() && is_public
    });
    holds(is_fit, "write it like http://127.0.0.1:8080 or https://api.example.com, without user and password")
}

pub(super) fn profile(answer: &str) -> Result<(), &'static str> {
    holds(matches!(answer, "core" | "full"), "answer core or full")
}

pub(super) fn id_from(answer: &str) -> Result<(), &'static str> {
    holds(matches!(answer, "job" | "job_id" | "hook"), "answer job, job_id or hook")
}

pub(super) fn pointer(answer: &str) -> Result<(), &'static str> {
    let is_fit = answer.starts_with('/') && !answer.chars().any(char::is_control);
    holds(is_fit, "write a JSON pointer, such as /data/article/id")
}

pub(super) fn time(answer: &str) -> Result<(), &'static str> {
    holds(duration(answer).is_ok(), "write a time such as 500ms, 60s or 5m")
}

pub(super) fn yes_or_no(answer: &str) -> Result<(), &'static str> {
    holds(matches!(answer, "yes" | "no"), "answer yes or no")
}

pub(super) fn json_or_form(answer: &str) -> Result<(), &'static str> {
    holds(matches!(answer, "json" | "form"), "answer json or form")
}

pub(super) fn field(answer: &str) -> Result<(), &'static str> {
    let is_fit = !answer.chars().any(|letter| letter.is_control() || letter.is_whitespace());
    holds(is_fit, "write the name of one field, without blanks, or - for none")
}

pub(super) fn variable(answer: &str) -> Result<(), &'static str> {
    let is_name = answer.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && !answer.starts_with(|letter: char| letter.is_ascii_digit());
    holds(is_name, "write the variable's name in capitals, such as CONTENTGEN_API_KEY, and never the key itself")
}

pub(super) fn command(answer: &str) -> Result<(), &'static str> {
    let words = shlex::split(answer).unwrap_or_default();
    holds(!words.is_empty(), "write a command with its arguments, quotes in pairs")?;
    let complaint = "write no placeholder in the script after -c of a shell: the script has $CONTENTGEN_HOOK_URL, $CONTENTGEN_HOOK_ID or \
                     $CONTENTGEN_WEBSITE_ID";
    holds(in_script(&words).is_none(), complaint)
}
