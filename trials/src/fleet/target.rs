//! The suite's settings for the fleet: its configuration file, and the keys, which are only in the environment.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;
use toml::Table;

/// Returns the configuration file for a fleet at `base_url` whose first process reported `ready`. It configures everything that a
/// requirement needs, so the suite skips none.
pub(crate) fn configuration(base_url: &str, ready: &Value, program: &Path) -> Result<String> {
    let account = |index: usize, member: &str| -> Result<String> {
        let value = ready["accounts"][index][member].as_str();
        value.map(str::to_owned).with_context(|| format!("the ready file has no {member} of account {index}"))
    };
    let command_of = |subject: &str, words: &[&str]| -> Result<Vec<String>> {
        let mut command = vec![program.display().to_string(), subject.to_owned()];
        command.extend(words.iter().map(|&word| word.to_owned()));
        command.extend(["--account".to_owned(), account(0, "name")?]);
        Ok(command)
    };
    let command = |words: &[&str]| command_of("hook", words);
    let hooks = toml::toml! {
        listen = "127.0.0.1:0"
        public_url = "http://127.0.0.1:{port}"
        standard_webhooks = true
        probe_private_addresses = true
    };
    let mut file = toml::toml! {
        [target]
        profile = "full"
        api_key_env = "CONTENTGEN_API_KEY"
        [target.other_account]
        api_key_env = "CONTENTGEN_OTHER_API_KEY"
        [target.small_quota]
        api_key_env = "CONTENTGEN_LIMITED_API_KEY"
        [target.narrow_scope]
        api_key_env = "CONTENTGEN_NARROW_API_KEY"
        [target.revoked_key]
        api_key_env = "CONTENTGEN_REVOKED_API_KEY"
        [target.expired_key]
        api_key_env = "CONTENTGEN_EXPIRED_API_KEY"
        [target.restricted_key]
        api_key_env = "CONTENTGEN_RESTRICTED_API_KEY"
        [failing_job]
        [pausing]
        [leads.capture]
        method = "POST"
        url = "{base_url}/capture/{website_id}"
        json = { email = "{email}", name = "{name}", message = "{message}" }
    };
    insert(&mut file, &["target"], "base_url", base_url)?;
    insert(&mut file, &["target"], "website_id", account(0, "website_id")?)?;
    insert(&mut file, &["target"], "inactive_website_id", account(0, "inactive_website_id")?)?;
    insert(&mut file, &["target"], "double_opt_in_website_id", account(0, "restricted_website_id")?)?;
    insert(&mut file, &["target", "other_account"], "website_id", account(1, "website_id")?)?;
    insert(&mut file, &["target", "restricted_key"], "website_id", account(0, "restricted_website_id")?)?;
    insert(&mut file, &["failing_job"], "topic", account(0, "failing_topic")?)?;
    insert(&mut file, &["pausing"], "website_id", account(0, "pausable_website_id")?)?;
    for verb in ["pause", "resume"] {
        insert(&mut file, &["pausing"], verb, command_of("website", &[verb, "--id", "{website_id}"])?)?;
    }
    insert(&mut file, &["leads"], "erase", command_of("lead", &["erase", "--id", "{lead_id}"])?)?;
    file.insert("hooks".to_owned(), hooks.into());
    let types = ["lead.captured", "lead.confirmed", "article.published", "job.failed", "scheduled_post.failed"];
    let chosen = types.iter().flat_map(|name| ["--event", name]);
    let create: Vec<&str> = ["create", "--json", "--url", "{url}"].into_iter().chain(chosen).collect();
    insert(&mut file, &["hooks"], "register", command(&create)?)?;
    let leads = command(&["create", "--json", "--event", "lead.captured", "--url", "{url}"])?;
    insert(&mut file, &["hooks"], "register_leads", leads)?;
    insert(&mut file, &["hooks"], "remove", command(&["remove", "--id", "{id}"])?)?;
    insert(&mut file, &["hooks"], "rotate", command(&["rotate", "--id", "{id}"])?)?;
    insert(&mut file, &["hooks"], "redeliver", command(&["redeliver", "--id", "{id}", "--event", "{event}"])?)?;
    toml::to_string(&file).context("cannot write the configuration as TOML")
}

fn insert(file: &mut Table, path: &[&str], name: &str, value: impl Into<toml::Value>) -> Result<()> {
    let table = path.iter().try_fold(file, |table, part| table.get_mut(*part).and_then(toml::Value::as_table_mut));
    table
        .with_context(|| format!("the configuration has no table [{}]", path.join(".")))?
        .insert(name.to_owned(), value.into());
    Ok(())
}

/// Returns the keys for the suite's environment.
pub(crate) fn keys(ready: &Value) -> Result<[(&'static str, String); 7]> {
    let key = |index: usize, member: &str| {
        let value = ready["accounts"][index][member].as_str();
        value.map(str::to_owned).with_context(|| format!("the ready file has no {member} of account {index}"))
    };
    Ok([
        ("CONTENTGEN_API_KEY", key(0, "api_key")?),
        ("CONTENTGEN_OTHER_API_KEY", key(1, "api_key")?),
        ("CONTENTGEN_LIMITED_API_KEY", key(0, "limited_api_key")?),
        ("CONTENTGEN_NARROW_API_KEY", key(0, "narrow_api_key")?),
        ("CONTENTGEN_REVOKED_API_KEY", key(0, "revoked_api_key")?),
        ("CONTENTGEN_EXPIRED_API_KEY", key(0, "expired_api_key")?),
        ("CONTENTGEN_RESTRICTED_API_KEY", key(0, "restricted_api_key")?),
    ])
}
