//! Optional parts of a set-up: further keys, configured limits, a request whose job fails, a website that can be paused.
//!
//! `file` defines the format of the tables.

use std::path::Path;
use std::sync::Arc;

use super::environment::key;
use super::extra_headers::extra_headers;
use super::file::{ClockTable, FailingJobTable, KeyTable, PausingTable, RestartingTable, TargetTable, WriterTable};
use super::placeholder::check_script;
use super::set_up_commands::{CommandClock, CommandEraser, CommandRestarter, CommandSwitch, CommandWriter};
use crate::check::{BreakableWriter, FailingJob, LeadEraser, MovableClock, PausableWebsite, Restarter};
use crate::runner::{Account, SetUpError, Target};

/// Returns the server, with all configured keys.
pub(super) fn target(table: TargetTable) -> Result<Target, SetUpError> {
    let account = Account { api_key: key(&table.api_key_env)?, website_id: table.website_id };
    let mut target = Target::new(&table.base_url, account);
    target.headers = extra_headers(table.headers)?;
    let variables = &mut target.key_variables;
    variables.main = table.api_key_env;
    if let Some(other) = table.other_account {
        target.other_account = Some(Account { api_key: key(&other.api_key_env)?, website_id: other.website_id });
        variables.other = other.api_key_env;
    }
    target.small_quota = alone(table.small_quota, &mut variables.small_quota)?;
    target.narrow_scope = alone(table.narrow_scope, &mut variables.narrow_scope)?;
    target.revoked_key = alone(table.revoked_key, &mut variables.revoked)?;
    target.expired_key = alone(table.expired_key, &mut variables.expired)?;
    if let Some(restricted) = table.restricted_key {
        let website_id = Some(restricted.website_id);
        target.restricted_key = Some(Account { api_key: key(&restricted.api_key_env)?, website_id });
        variables.restricted = restricted.api_key_env;
    }
    target.inactive_website_id = table.inactive_website_id;
    target.double_opt_in_website_id = table.double_opt_in_website_id;
    target.declared_limits = table.limits;
    let version = table.document_version.map(|version| version.parse()).transpose();
    target.document_version =
        version.map_err(|error| SetUpError::Configuration(format!("target.document_version: {error}")))?;
    check_keys(&target)?;
    Ok(target)
}

/// Returns a key without a website, and sets `variable` to the name of its variable.
fn alone(table: Option<KeyTable>, variable: &mut String) -> Result<Option<Account>, SetUpError> {
    let Some(table) = table else { return Ok(None) };
    let api_key = key(&table.api_key_env)?;
    *variable = table.api_key_env;
    Ok(Some(Account { api_key, website_id: None }))
}

/// Checks that each further key differs from the key under test, and that the restricted key has another website.
pub(super) fn check_keys(target: &Target) -> Result<(), SetUpError> {
    let main = &target.account;
    for (name, lent) in [
        ("revoked_key", &target.revoked_key),
        ("expired_key", &target.expired_key),
        ("restricted_key", &target.restricted_key),
    ] {
        if lent.as_ref().is_some_and(|lent| lent.api_key == main.api_key) {
            return Err(SetUpError::Configuration(format!(
                "target.{name}: it is the key under test; name the variable of another key"
            )));
        }
    }
    let restricted = target.restricted_key.as_ref().and_then(|lent| lent.website_id.as_ref());
    if restricted.is_some() && restricted == main.website_id.as_ref() {
        return Err(SetUpError::Configuration(
            "target.restricted_key.website_id: it is the website under test; the key must be restricted to another website"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Returns the request whose job fails.
pub(super) fn failing_job(table: FailingJobTable) -> Result<FailingJob, SetUpError> {
    if table.topic.is_none() && table.website_id.is_none() {
        return Err(SetUpError::Configuration("failing_job: give a topic, a website_id, or both".to_owned()));
    }
    Ok(FailingJob { topic: table.topic, website_id: table.website_id })
}

/// Returns the clock that the command moves.
pub(super) fn clock(table: ClockTable, folder: &Path) -> Result<Arc<MovableClock>, SetUpError> {
    check_script("clock.advance", Some(&table.advance))?;
    Ok(Arc::new(MovableClock::new(Arc::new(CommandClock { folder: folder.to_owned(), advance: table.advance }))))
}

/// Returns the command that restarts the server.
pub(super) fn restarter(table: RestartingTable, folder: &Path) -> Result<Arc<dyn Restarter>, SetUpError> {
    check_script("restarting.restart", Some(&table.restart))?;
    Ok(Arc::new(CommandRestarter { folder: folder.to_owned(), restart: table.restart }))
}

/// Returns the writer that the command breaks and repairs.
pub(super) fn writer(table: WriterTable, folder: &Path) -> Result<Arc<BreakableWriter>, SetUpError> {
    check_script("writer.switch", Some(&table.switch))?;
    Ok(Arc::new(BreakableWriter::new(Arc::new(CommandWriter { folder: folder.to_owned(), switch: table.switch }))))
}

/// Returns the command that erases leads.
pub(super) fn eraser(command: Vec<String>, folder: &Path) -> Result<Arc<dyn LeadEraser>, SetUpError> {
    check_script("leads.erase", Some(&command))?;
    Ok(Arc::new(CommandEraser { folder: folder.to_owned(), command }))
}

/// Returns the website that commands pause.
pub(super) fn pausable(
    table: PausingTable,
    target: &Target,
    folder: &Path,
) -> Result<Arc<PausableWebsite>, SetUpError> {
    let used = [&target.account, target.restricted_key.as_ref().unwrap_or(&target.account)];
    if used.iter().any(|account| account.website_id.as_ref() == Some(&table.website_id)) {
        return Err(SetUpError::Configuration(
            "pausing.website_id: other checks use this website; name one that nothing else uses".to_owned(),
        ));
    }
    check_script("pausing.pause", Some(&table.pause))?;
    check_script("pausing.resume", Some(&table.resume))?;
    let switch = CommandSwitch { folder: folder.to_owned(), pause: table.pause, resume: table.resume };
    Ok(Arc::new(PausableWebsite::new(table.website_id, Arc::new(switch))))
}
