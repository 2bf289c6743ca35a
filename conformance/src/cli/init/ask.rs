//! The questions, in the order of `docs/suite.md`: first for `core`, then webhooks and leads, then for `full`.

use std::io::{BufRead, Write};
use std::path::Path;

use super::answers::{Answers, FormAnswers, HookAnswers, LentAnswers, PausingAnswers};
use super::questions::{
    MAX_TRIES, Questions, address, anything, command, field, id_from, json_or_form, pointer, profile, time, variable,
    yes_or_no,
};
use super::trial::{self, Trial};
use crate::report::on_one_line;
use crate::runner::SetUpError;

/// Asks everything; commands run in `folder`.
pub(super) async fn ask(
    questions: &mut Questions<'_, impl BufRead, impl Write>,
    folder: &Path,
) -> Result<Answers, SetUpError> {
    let base_url = questions.one("Base URL of the server", "http://127.0.0.1:8080", address)?;
    let profile = questions.one("Profile: core (documented facts only) or full", "core", profile)?;
    let api_key_env =
        questions.one("Environment variable that contains the API key", "CONTENTGEN_API_KEY", variable)?;
    let website_id = questions.one("Website id (empty: the first active one that the server lists)", "", anything)?;
    let second = "Environment variable with the key of a second account (empty: isolation is not checked)";
    let other_api_key_env = questions.one(second, "", variable)?;
    let id_from = questions.one("Where an article's id comes from: job, job_id or hook", "job", id_from)?;
    let mut hook_id_pointer = String::new();
    if id_from == "hook" {
        let where_it_stands = "Where it is in the webhook's payload, as a JSON pointer";
        hook_id_pointer = questions.one(where_it_stands, "/data/article/id", pointer)?;
    }
    let ready_within = questions.one("How long generation takes at most", "60s", time)?;
    let hooks = hooks(questions, folder).await?;
    let form = form(questions)?;
    let lent = if profile == "full" { lent(questions, folder).await? } else { LentAnswers::default() };
    let organisation = questions.one("Organisation that the reports name (empty: none)", "", anything)?;
    let contact =
        questions.one("Contact that the reports name, a role and not a person (empty: none)", "", anything)?;
    Ok(Answers {
        base_url,
        profile,
        api_key_env,
        website_id,
        other_api_key_env,
        id_from,
        hook_id_pointer,
        ready_within,
        hooks,
        form,
        lent,
        organisation,
        contact,
    })
}

/// Asks about webhooks until the commands work or the user keeps them.
async fn hooks(
    questions: &mut Questions<'_, impl BufRead, impl Write>,
    folder: &Path,
) -> Result<Option<HookAnswers>, SetUpError> {
    let default_url = "http://127.0.0.1:{port}".to_owned();
    let mut known = HookAnswers { public_url: default_url, standard_webhooks: true, ..HookAnswers::default() };
    for _ in 0..MAX_TRIES {
        let register = "Command that registers the webhook receiver at {url} (empty: webhooks are not checked)";
        known.register = questions.one(register, &known.register, command)?;
        if known.register.is_empty() {
            return Ok(None);
        }
        let remove = "Command that removes the registration {id} (empty: none)";
        known.remove = questions.one(remove, &known.remove, command)?;
        let public_url = "URL at which the server reaches this machine; {port} is replaced by the port";
        known.public_url = questions.one(public_url, &known.public_url, address)?;
        let trial = trial::registration(folder, &known).await;
        if !is_to_be_corrected(questions, &trial)? {
            break;
        }
    }
    let signs = if known.standard_webhooks { "yes" } else { "no" };
    let signed = questions.one("Does it sign as in Standard Webhooks: yes or no", signs, yes_or_no)?;
    Ok(Some(HookAnswers { standard_webhooks: signed == "yes", ..known }))
}

/// Shows the results of commands. Returns true if they failed and the user wants to correct them.
fn is_to_be_corrected(
    questions: &mut Questions<'_, impl BufRead, impl Write>,
    trial: &Trial,
) -> Result<bool, SetUpError> {
    for line in &trial.seen {
        questions.tell(&format!("  {}", on_one_line(line)));
    }
    let Some(wrong) = &trial.wrong else { return Ok(false) };
    questions.tell(&format!("  Wrong: {}", on_one_line(wrong)));
    if questions.is_alone() {
        return Ok(false);
    }
    let correct = questions.one("Correct the commands now (no: they are written unchanged)", "yes", yes_or_no)?;
    Ok(correct == "yes")
}

fn form(questions: &mut Questions<'_, impl BufRead, impl Write>) -> Result<Option<FormAnswers>, SetUpError> {
    let capture = "URL that captures a lead, such as {base_url}/capture/{website_id} (empty: not checked)";
    let url = questions.one(capture, "", anything)?;
    if url.is_empty() {
        return Ok(None);
    }
    let is_form = questions.one("Does it accept json or a form", "json", json_or_form)? == "form";
    let email = questions.one("Name of its field for the e-mail address", "email", field)?;
    let name = questions.one("Name of its field for the name (-: none)", "name", field)?;
    let message = questions.one("Name of its field for the message (-: none)", "message", field)?;
    Ok(Some(FormAnswers { url, is_form, email, name, message }))
}

/// Asks about the other keys and websites.
async fn lent(
    questions: &mut Questions<'_, impl BufRead, impl Write>,
    folder: &Path,
) -> Result<LentAnswers, SetUpError> {
    let mut key = |which: &str, unchecked: &str| {
        questions.one(&format!("Environment variable with {which} (empty: {unchecked})"), "", variable)
    };
    let small_quota_env = key("a key with a small quota", "429 is not checked")?;
    let narrow_scope_env = key("a key that may only read articles", "403 insufficient_scope is not checked")?;
    let revoked_key_env = key("a key that was revoked", "revoked keys are not checked")?;
    let expired_key_env = key("a key that has expired", "expired keys are not checked")?;
    let restricted = "a key of the account that may use only another website";
    let restricted_key_env = key(restricted, "restricted keys are not checked")?;
    let mut restricted_website_id = String::new();
    for _ in 0..if restricted_key_env.is_empty() || questions.is_alone() { 0 } else { MAX_TRIES } {
        restricted_website_id = questions.one("The website that this key may use", "", anything)?;
        if !restricted_website_id.is_empty() || questions.is_alone() {
            break;
        }
        questions.tell("  without this website, the key cannot be checked");
    }
    let inactive = "Id of a paused or archived website (empty: 403 website_inactive is not checked)";
    let inactive_website_id = questions.one(inactive, "", anything)?;
    let topic = "Topic whose job fails permanently, such as a word that the voice profile forbids (empty: not checked)";
    let failing_topic = questions.one(topic, "", anything)?;
    let pausing = pausing(questions, folder).await?;
    Ok(LentAnswers {
        small_quota_env,
        narrow_scope_env,
        revoked_key_env,
        expired_key_env,
        restricted_key_env,
        restricted_website_id,
        inactive_website_id,
        failing_topic,
        pausing,
    })
}

/// Asks about the website that can be paused until the commands work or the user keeps them.
async fn pausing(
    questions: &mut Questions<'_, impl BufRead, impl Write>,
    folder: &Path,
) -> Result<Option<PausingAnswers>, SetUpError> {
    let mut known = PausingAnswers::default();
    for _ in 0..MAX_TRIES {
        let website = "Id of an active website that nothing else uses, which the suite may pause (empty: not checked)";
        known.website_id = questions.one(website, &known.website_id, anything)?;
        if known.website_id.is_empty() {
            return Ok(None);
        }
        known.pause = questions.one("Command that pauses {website_id}", &known.pause, command)?;
        known.resume = questions.one("Command that resumes {website_id}", &known.resume, command)?;
        if known.pause.is_empty() || known.resume.is_empty() {
            questions.tell("  both commands are needed: a paused website must be resumed");
            if questions.is_alone() {
                return Ok(None);
            }
            continue;
        }
        let trial = trial::pause(folder, &known).await;
        if !is_to_be_corrected(questions, &trial)? {
            return Ok(Some(known));
        }
    }
    Ok(Some(known).filter(|known| !known.pause.is_empty() && !known.resume.is_empty()))
}
