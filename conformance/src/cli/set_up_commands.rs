//! The commands of the configuration that register the webhook receiver, erase leads, pause a website, restart the target,
//! break its writer and move its clock.
//!
//! `command` runs them; `runner` contains the receiver.

use std::path::PathBuf;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use serde_json::Value;

use super::command::execute;
use super::placeholder::{EVENT_ID, HOOK_ID, HOOK_URL, LEAD_ID, Placeholder, SECONDS, STATE, WEBSITE_ID};
use crate::check::{ClockSwitch, LeadEraser, Restarter, WebsiteSwitch, WriterState, WriterSwitch};
use crate::runner::{HookAbility, HookRegistrar, Registration};

/// Runs a command for each ability; `{url}`, `{id}` and `{event}` are replaced.
#[derive(Debug)]
pub(super) struct CommandRegistrar {
    /// Working folder of the commands.
    pub(super) folder: PathBuf,
    pub(super) register: Vec<String>,
    pub(super) remove: Option<Vec<String>>,
    pub(super) register_leads: Option<Vec<String>>,
    pub(super) rotate: Option<Vec<String>>,
    pub(super) redeliver: Option<Vec<String>>,
}

impl CommandRegistrar {
    fn command(&self, ability: HookAbility) -> Option<&[String]> {
        let command = match ability {
            HookAbility::Remove => &self.remove,
            HookAbility::RegisterLeads => &self.register_leads,
            HookAbility::Rotate => &self.rotate,
            HookAbility::Redeliver => &self.redeliver,
        };
        command.as_deref()
    }

    /// Runs a command that registers `url`, and parses its output.
    async fn registered(&self, command: &[String], url: &str) -> Result<Registration, String> {
        let output = execute(&self.folder, command, &[(&HOOK_URL, url)]).await?;
        let name = command.first().map_or("", String::as_str);
        if output.trim().is_empty() {
            return Err(format!(
                "`{name}` printed nothing; it must print the secret, or a JSON object with id and secret"
            ));
        }
        let registration = registration(output.trim());
        let needs_id = [&self.remove, &self.rotate, &self.redeliver];
        let needs_id =
            needs_id.iter().filter_map(|command| command.as_ref()).flatten().any(|word| HOOK_ID.is_used_in(word));
        if needs_id && registration.id.is_none() {
            return Err(format!(
                "`{name}` printed no id, which other commands need; it must print a JSON object with id"
            ));
        }
        Ok(registration)
    }

    /// Returns the output of the command for `ability`; nothing without a command.
    async fn run(&self, ability: HookAbility, values: &[(&Placeholder, &str)]) -> Result<String, String> {
        match self.command(ability) {
            Some(command) => execute(&self.folder, command, values).await,
            None => Ok(String::new()),
        }
    }
}

impl HookRegistrar for CommandRegistrar {
    fn register(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        async move { self.registered(&self.register, &url).await }.boxed()
    }

    fn offers(&self, ability: HookAbility) -> bool {
        self.command(ability).is_some()
    }

    fn remove(&self, registration: Registration) -> BoxFuture<'_, Result<(), String>> {
        async move {
            match registration.id {
                Some(id) => self.run(HookAbility::Remove, &[(&HOOK_ID, &id)]).await.map(|_| ()),
                None => Ok(()),
            }
        }
        .boxed()
    }

    fn register_leads(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        async move { self.registered(self.register_leads.as_deref().unwrap_or_default(), &url).await }.boxed()
    }

    fn rotate(&self, former: Registration) -> BoxFuture<'_, Result<Registration, String>> {
        async move {
            let values: Vec<_> = former.id.iter().map(|id| (&HOOK_ID, id.as_str())).collect();
            let rotated = registration(self.run(HookAbility::Rotate, &values).await?.trim());
            Ok(Registration { id: former.id, ..rotated })
        }
        .boxed()
    }

    fn redeliver(&self, registration: Registration, event: String) -> BoxFuture<'_, Result<(), String>> {
        async move {
            let mut values = vec![(&EVENT_ID, event.as_str())];
            values.extend(registration.id.iter().map(|id| (&HOOK_ID, id.as_str())));
            self.run(HookAbility::Redeliver, &values).await.map(|_| ())
        }
        .boxed()
    }
}

/// Parses a JSON object with `id` and `secret`, or text that contains the secret.
fn registration(output: &str) -> Registration {
    if let Ok(Value::Object(members)) = serde_json::from_str::<Value>(output) {
        let text = |name: &str| match members.get(name)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        return Registration { id: text("id"), secret: text("secret") };
    }
    // The output of a command for humans may contain more than the secret.
    let secret = output.split_whitespace().find(|word| word.starts_with("whsec_")).unwrap_or(output);
    Registration { id: None, secret: Some(secret.to_owned()).filter(|secret| !secret.is_empty()) }
}

/// Runs a command; `{lead_id}` in it is replaced by the lead's id.
#[derive(Debug)]
pub(super) struct CommandEraser {
    /// Working folder of the command.
    pub(super) folder: PathBuf,
    pub(super) command: Vec<String>,
}

impl LeadEraser for CommandEraser {
    fn erase(&self, lead_id: String) -> BoxFuture<'_, Result<(), String>> {
        async move { execute(&self.folder, &self.command, &[(&LEAD_ID, &lead_id)]).await.map(drop) }.boxed()
    }
}

/// Runs the commands; `{website_id}` is replaced by the website.
#[derive(Debug)]
pub(super) struct CommandSwitch {
    /// Working folder of the commands.
    pub(super) folder: PathBuf,
    pub(super) pause: Vec<String>,
    pub(super) resume: Vec<String>,
}

impl CommandSwitch {
    async fn run(&self, command: &[String], website_id: &str) -> Result<(), String> {
        execute(&self.folder, command, &[(&WEBSITE_ID, website_id)]).await.map(|_| ())
    }
}

impl WebsiteSwitch for CommandSwitch {
    fn pause(&self, website_id: String) -> BoxFuture<'_, Result<(), String>> {
        async move { self.run(&self.pause, &website_id).await }.boxed()
    }

    fn resume(&self, website_id: String) -> BoxFuture<'_, Result<(), String>> {
        async move { self.run(&self.resume, &website_id).await }.boxed()
    }
}

/// Runs the command.
#[derive(Debug)]
pub(super) struct CommandRestarter {
    /// Working folder of the command.
    pub(super) folder: PathBuf,
    pub(super) restart: Vec<String>,
}

impl Restarter for CommandRestarter {
    fn restart(&self) -> BoxFuture<'_, Result<(), String>> {
        async move { execute(&self.folder, &self.restart, &[]).await.map(drop) }.boxed()
    }
}

/// Runs the command; `{state}` is replaced by the state.
#[derive(Debug)]
pub(super) struct CommandWriter {
    /// Working folder of the command.
    pub(super) folder: PathBuf,
    pub(super) switch: Vec<String>,
}

impl WriterSwitch for CommandWriter {
    fn switch(&self, state: WriterState) -> BoxFuture<'_, Result<(), String>> {
        async move { execute(&self.folder, &self.switch, &[(&STATE, state.name())]).await.map(drop) }.boxed()
    }
}

/// Runs the command; `{seconds}` is replaced by the number of seconds.
#[derive(Debug)]
pub(super) struct CommandClock {
    /// Working folder of the command.
    pub(super) folder: PathBuf,
    pub(super) advance: Vec<String>,
}

impl ClockSwitch for CommandClock {
    fn advance(&self, by: Duration) -> BoxFuture<'_, Result<(), String>> {
        let seconds = by.as_secs().to_string();
        async move { execute(&self.folder, &self.advance, &[(&SECONDS, &seconds)]).await.map(drop) }.boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::registration;

    #[test]
    fn the_secret_is_found_alone_in_text_and_in_json() {
        for output in
            ["whsec_abc", "hook: hook_1\nsecret: whsec_abc\nevents: all", r#"{"id":"hook_1","secret":"whsec_abc"}"#]
        {
            assert_eq!(registration(output).secret.as_deref(), Some("whsec_abc"), "{output}");
        }
        assert_eq!(registration(r#"{"id":"hook_1","secret":"x"}"#).id.as_deref(), Some("hook_1"));
        assert_eq!(registration(r#"{"id":12,"secret":"x"}"#).id.as_deref(), Some("12"));
        assert_eq!(registration(r#"{"id":"","secret":""}"#).id, None);
        assert_eq!(registration("plain").secret.as_deref(), Some("plain"));
        assert_eq!(registration("").secret, None);
    }
}
