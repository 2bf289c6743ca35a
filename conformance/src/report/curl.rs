//! A request as a command line for a POSIX shell that sends the same bytes again.
//!
//! It never contains keys: the shell takes them from the environment.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::check::{Credential, Request, SecretForm, SecretPlace, Secrets};
use crate::runner::{ExtraHeader, Run};

/// Maximum length of a body that is text in the line, and of any body in it.
const READABLE_BODY: usize = 8 * 1024;
const LONGEST_BODY: usize = 96 * 1024;

/// Returns the line for `request`.
pub(super) fn line(run: &Run, request: &Request) -> String {
    let shell = Shell { secrets: &run.facts.secrets, variables: &run.secret_variables };
    let mut line = String::from("curl -i");
    match request.method.as_str() {
        "HEAD" => line.push_str(" --head"),
        method => {
            line.push_str(" -X ");
            line.push_str(&shell.word(method));
        }
    }
    let address = address(run, &request.path);
    if address.contains(['[', ']', '{', '}']) {
        line.push_str(" -g");
    }
    line.push(' ');
    line.push_str(&shell.word(&address));
    let keys = &run.key_variables;
    if let Some(variable) = keys.of(&request.credential) {
        line.push_str(&bearer(variable));
    }
    if let Credential::Literal(values) = &request.credential {
        let main = run.facts.secrets.values().first().map_or("", String::as_str);
        for value in values {
            line.push_str(&shell.header("Authorization", &value.replace("{key}", main)));
        }
    }
    line.extend(run.extra_headers.iter().map(extra));
    for (name, value) in &request.headers {
        line.push_str(&shell.header(name, value));
    }
    match &request.body {
        None => line,
        Some(body) => {
            let names_type = request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
            if !names_type {
                // Without this, curl would add its own.
                line.push_str(" -H 'Content-Type:'");
            }
            with_body(&line, body, &shell)
        }
    }
}

/// Returns the address in the form of an HTTP client.
fn address(run: &Run, path: &str) -> String {
    let base = if path.starts_with("http://") || path.starts_with("https://") { "" } else { &run.facts.base_url };
    let address = format!("{base}{path}");
    url::Url::parse(&address).map_or(address, |url| url.to_string())
}

fn bearer(variable: &str) -> String {
    format!(" -H \"Authorization: Bearer ${variable}\"")
}

/// Returns a configured header; its value is never in the line.
fn extra(header: &ExtraHeader) -> String {
    let name = quoted(&format!("{}: ", header.name));
    match &header.variable {
        Some(variable) => format!(" -H {name}\"${variable}\""),
        None => format!(" -H {name}'[masked]'"),
    }
}

fn with_body(line: &str, body: &[u8], shell: &Shell<'_>) -> String {
    let is_plain = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\t');
    match std::str::from_utf8(body) {
        // A leading @ would name a file.
        Ok(text) if text.len() <= READABLE_BODY && text.chars().all(is_plain) => {
            format!("{line} --data-raw {}", shell.word(text))
        }
        _ if body.len() <= LONGEST_BODY => {
            format!("printf %s '{}' | base64 -d | {line} --data-binary @-", STANDARD.encode(body))
        }
        _ => format!("# the body of {} bytes is too long for a line; `replay` repeats it: {line}", body.len()),
    }
}

/// Data for writing secrets as shell variables.
struct Shell<'run> {
    secrets: &'run Secrets,
    variables: &'run [String],
}

impl Shell<'_> {
    fn header(&self, name: &str, value: &str) -> String {
        // Without a value, curl would omit the header.
        let header = if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") };
        format!(" -H {}", self.word(&header))
    }

    /// Returns a text as one word, with secrets replaced by their variables.
    fn word(&self, text: &str) -> String {
        let mut word = String::new();
        let mut end = 0;
        for place in self.secrets.places(text) {
            word.push_str(&quoted(&text[end..place.range.start]));
            word.push_str(&self.secret(&place));
            end = place.range.end;
        }
        word.push_str(&quoted(&text[end..]));
        if word.is_empty() { "''".to_owned() } else { word }
    }

    fn secret(&self, place: &SecretPlace) -> String {
        match (self.variables.get(place.secret), place.form) {
            (Some(variable), SecretForm::Whole) => format!("\"${variable}\""),
            (Some(variable), SecretForm::WithoutLast) => format!("\"${{{variable}%?}}\""),
            (Some(variable), SecretForm::Swapped) => {
                format!("\"$(printf %s \"${variable}\" | tr 'A-Za-z' 'a-zA-Z')\"")
            }
            (None, _) | (_, SecretForm::Part) => "'[masked]'".to_owned(),
        }
    }
}

/// Returns a text in single quotes, or unchanged if a shell needs no quotes.
fn quoted(text: &str) -> String {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,+@%".contains(&byte);
    if text.bytes().all(is_safe) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
