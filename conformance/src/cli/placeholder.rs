//! Placeholders in commands of the configuration, and the values that replace them.

use std::path::Path;

use crate::check::excerpt;
use crate::report::on_one_line;
use crate::runner::SetUpError;

/// Maximum number of bytes of a value, and of a foreign one.
const MAX_VALUE: usize = 8 * 1024;
const MAX_FOREIGN: usize = 128;
/// Maximum number of characters of a refused value that an error shows.
const SHOWN: usize = 64;
/// Shells that run the text after `-c`.
const SHELLS: [&str; 7] = ["sh", "bash", "dash", "ash", "ksh", "zsh", "fish"];

/// A placeholder for a value in the arguments of a command.
#[derive(Debug)]
pub(super) struct Placeholder {
    /// Its text in the arguments.
    text: &'static str,
    /// The environment variable that also contains the value.
    pub(super) variable: &'static str,
    /// True if the target, a sender of webhooks or another command chooses the value.
    is_foreign: bool,
}

/// The address of a receiver of the suite.
pub(super) static HOOK_URL: Placeholder =
    Placeholder { text: "{url}", variable: "CONTENTGEN_HOOK_URL", is_foreign: false };
/// The id that a registration printed.
pub(super) static HOOK_ID: Placeholder = Placeholder { text: "{id}", variable: "CONTENTGEN_HOOK_ID", is_foreign: true };
/// The `webhook-id` of a webhook.
pub(super) static EVENT_ID: Placeholder =
    Placeholder { text: "{event}", variable: "CONTENTGEN_EVENT_ID", is_foreign: true };
/// A website of the configuration.
pub(super) static WEBSITE_ID: Placeholder =
    Placeholder { text: "{website_id}", variable: "CONTENTGEN_WEBSITE_ID", is_foreign: false };
/// A lead of the target.
pub(super) static LEAD_ID: Placeholder =
    Placeholder { text: "{lead_id}", variable: "CONTENTGEN_LEAD_ID", is_foreign: true };

/// A number of seconds.
pub(super) static SECONDS: Placeholder =
    Placeholder { text: "{seconds}", variable: "CONTENTGEN_SECONDS", is_foreign: false };

/// A state of the writer.
pub(super) static STATE: Placeholder = Placeholder { text: "{state}", variable: "CONTENTGEN_STATE", is_foreign: false };

static ALL: [&Placeholder; 7] = [&HOOK_URL, &HOOK_ID, &EVENT_ID, &WEBSITE_ID, &LEAD_ID, &SECONDS, &STATE];

impl Placeholder {
    /// Returns true if an argument uses the value, in either way.
    pub(super) fn is_used_in(&self, argument: &str) -> bool {
        argument.contains(self.text) || argument.contains(self.variable)
    }

    /// Refuses a value that a command could misinterpret. The error is one clause.
    pub(super) fn check(&self, value: &str) -> Result<(), String> {
        let why = if value.starts_with('-') {
            "it begins with `-`".to_owned()
        } else if self.is_foreign && !is_plain(value) {
            format!("it must have 1 to {MAX_FOREIGN} of the characters A-Z a-z 0-9 . _ ~ : - and not only dots")
        } else if value.chars().any(char::is_control) || value.len() > MAX_VALUE {
            format!("it has control characters or is longer than {MAX_VALUE} bytes")
        } else {
            return Ok(());
        };
        let shown = excerpt(&on_one_line(value), SHOWN);
        Err(format!("no command is run with the value for {}, `{shown}`: {why}", self.text))
    }
}

/// Returns an argument with its values filled in. Placeholders within a value are not replaced.
pub(super) fn filled(argument: &str, values: &[(&Placeholder, &str)]) -> String {
    let mut text = String::new();
    let mut rest = argument;
    while let Some(letter) = rest.chars().next() {
        if let Some((placeholder, value)) = values.iter().find(|(placeholder, _)| rest.starts_with(placeholder.text)) {
            text.push_str(value);
            rest = &rest[placeholder.text.len()..];
        } else {
            text.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    text
}

/// Refuses a command with a placeholder in a shell script; `setting` names it.
pub(super) fn check_script(setting: &str, command: Option<&[String]>) -> Result<(), SetUpError> {
    match command.and_then(in_script) {
        Some(Placeholder { text, variable, .. }) => Err(SetUpError::Configuration(format!(
            "{setting}: {text} is in the script after -c, so a shell would run its value; remove it, and let the script read \
             \"${variable}\""
        ))),
        None => Ok(()),
    }
}

/// Returns the first placeholder after the `-c` of a shell.
pub(super) fn in_script(command: &[String]) -> Option<&'static Placeholder> {
    let shell = command.iter().position(|word| is_shell(word))?;
    let behind_shell = &command[shell + 1..];
    let option = behind_shell.iter().position(|word| takes_script(word))?;
    let behind_option = &behind_shell[option + 1..];
    ALL.into_iter().find(|placeholder| behind_option.iter().any(|word| word.contains(placeholder.text)))
}

fn is_shell(word: &str) -> bool {
    let name = Path::new(word).file_stem().and_then(|name| name.to_str());
    let is_script = Path::new(word).extension().is_some_and(|extension| extension != "exe");
    !is_script && name.is_some_and(|name| SHELLS.contains(&name))
}

/// Returns true for `-c`, alone or with further options such as in `-ec`.
fn takes_script(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|options| !options.starts_with('-') && options.contains('c'))
}

/// Returns true for an id. In a path of a URL, dots alone would name another folder.
fn is_plain(value: &str) -> bool {
    value.len() <= MAX_FOREIGN
        && value.bytes().any(|byte| byte != b'.')
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._~:-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        shlex::split(line).unwrap()
    }

    #[test]
    fn a_value_is_filled_in_once() {
        let values = [(&HOOK_ID, "7{event}"), (&EVENT_ID, "evt_1")];
        assert_eq!(filled("--id={id}/{event}", &values), "--id=7{event}/evt_1");
    }

    #[test]
    fn a_foreign_value_is_an_id_or_refused_by_name_and_reason() {
        for id in ["hook_1", "01J.Z~a:b-c_d", &"x".repeat(MAX_FOREIGN)] {
            assert_eq!(HOOK_ID.check(id), Ok(()));
        }
        let long = "x".repeat(MAX_FOREIGN + 1);
        for id in ["", "-1", "--all", "a b", "$(id)", "`id`", "a/b", "..", "a\nb", "é", "\u{1b}[2J##[x]", &long] {
            let refused = LEAD_ID.check(id).unwrap_err();
            assert!(refused.contains("{lead_id}") && refused.contains(": it "), "{refused}");
            assert!(!refused.contains(char::is_control) && !refused.contains("##["), "{refused}");
        }
    }

    #[test]
    fn the_suites_own_values_may_be_more_than_ids() {
        assert_eq!(HOOK_URL.check("https://10.0.0.1/hooks?a=b&c"), Ok(()));
        assert_eq!(WEBSITE_ID.check("shop 1"), Ok(()));
        for value in ["--help", "a\nb", &"x".repeat(MAX_VALUE + 1)] {
            assert!(HOOK_URL.check(value).is_err());
        }
    }

    #[test]
    fn a_placeholder_behind_the_c_of_a_shell_is_found() {
        for line in [
            "sh -c 'remove {id}'",
            "/bin/bash -euc 'remove {id}'",
            "env X=1 dash -c 'remove \"$1\"' remove {id}",
            "bash -o pipefail -c 'remove {id}'",
        ] {
            let refused = check_script("hooks.remove", Some(&words(line))).unwrap_err().to_string();
            assert!(refused.starts_with("hooks.remove: {id} ") && refused.contains("$CONTENTGEN_HOOK_ID"), "{refused}");
        }
        for line in ["./remove.sh {id}", "sh remove.sh {id}", "sh -c 'remove $CONTENTGEN_HOOK_ID'", "./sh.py -c {id}"] {
            assert!(check_script("hooks.remove", Some(&words(line))).is_ok(), "{line}");
        }
        assert!(check_script("hooks.remove", None).is_ok());
    }
}
