//! The first questions to a target of this service: is the key valid, which website, which features.
//!
//! Checks no requirement. Requests an article only if no other response shows whether the key is valid.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::{Capability, Capture, Credential, Exchange, Facts, Request};
use crate::runner::{Account, Questions, SetUpError, Target};
use crate::spec::Profile;
use crate::steps::segment;

/// Asks the target for its website and features.
pub(super) async fn ask(
    target: &Target,
    questions: Questions<'_>,
    facts: &mut Facts,
    notes: &mut Vec<String>,
) -> Result<(), SetUpError> {
    let profile = questions.profile;
    if let Some(probed) = questions.probed {
        key_works(probed, target, questions).await?;
    }
    let (website_id, settings) = website(target, questions, &target.account, Credential::Main, notes).await?;
    facts.website_id = website_id;
    facts.has_publishing_slots = has_slots(&settings);
    facts.other_website_id = match &target.other_account {
        Some(account) => Some(website(target, questions, account, Credential::Other, notes).await?.0),
        None => None,
    };
    let offered = offered(questions).await;
    facts.capabilities.extend(offered);
    if profile == Profile::Full {
        // The request is refused, and the response contains the quota of `generate`.
        let _ = questions.ask(Request::new("generate", "POST", "/generate").json(&json!({}))).await;
    }
    facts.capabilities.extend(declared(target));
    if asks_consent(&settings) && facts.capabilities.remove(&Capability::LEAD_FORM) {
        notes.push(format!(
            "website {} has a consent_text, so its form refuses what most requirements of the lead form send: they do not apply. Name a \
             website without consent_text to check them",
            facts.website_id
        ));
    }
    facts.inactive_website_id.clone_from(&target.inactive_website_id);
    facts.double_opt_in_website_id.clone_from(&target.double_opt_in_website_id);
    facts.restricted_website_id = target.restricted_key.as_ref().and_then(|key| key.website_id.clone());
    facts.failing_job.clone_from(&target.failing_job);
    facts.pausable.clone_from(&target.pausable);
    facts.clock.clone_from(&target.clock);
    facts.eraser.clone_from(&target.eraser);
    facts.restarter.clone_from(&target.restarter);
    facts.writer.clone_from(&target.writer);
    facts.article_id_from = target.article_id_from;
    facts.hook_id_pointer.clone_from(&target.hook_id_pointer);
    facts.capture = target.capture.clone().map(|mut capture| {
        let website_id = segment(&facts.website_id);
        capture.url = capture.url.replace("{base_url}", &target.base_url).replace("{website_id}", &website_id);
        capture
    });
    Ok(())
}

/// Checks that the key is valid. A server may return 401 or 403 for an unknown article. The key counts as rejected only
/// if nothing else works either.
async fn key_works(exchange: &Exchange, target: &Target, questions: Questions<'_>) -> Result<(), SetUpError> {
    if !is_refusal(exchange) {
        return Ok(());
    }
    let websites = Request::new("list_websites", "GET", "/websites");
    if questions.ask(websites).await.is_ok_and(|listed| listed.succeeded()) {
        return Ok(());
    }
    if let Some(website_id) = &target.account.website_id {
        let body = json!({ "topic": "Checking whether the key works", "website_id": website_id });
        let generate = Request::new("generate", "POST", "/generate").json(&body);
        if questions.ask(generate).await.is_ok_and(|queued| !is_refusal(&queued)) {
            return Ok(());
        }
    }
    Err(refused(exchange, target, "the API key"))
}

fn is_refusal(exchange: &Exchange) -> bool {
    matches!(exchange.status, 401 | 403)
}

fn refused(exchange: &Exchange, target: &Target, whose: &str) -> SetUpError {
    SetUpError::Target(format!(
        "the target at {} refuses {whose} with status {}: check that it is a valid key of this server",
        target.base_url, exchange.status
    ))
}

/// Returns the account's website and its row in the list: the configured one, otherwise the first active one that the target lists.
async fn website(
    target: &Target,
    questions: Questions<'_>,
    account: &Account,
    credential: Credential,
    notes: &mut Vec<String>,
) -> Result<(String, Value), SetUpError> {
    let whose = if credential == Credential::Main { "the API key" } else { "the second account's key" };
    let request = Request::new("list_websites", "GET", "/websites?limit=100").by(credential.clone());
    let listed = questions.ask(request).await.ok();
    if let Some(exchange) = listed.as_ref().filter(|exchange| exchange.status == 401) {
        return Err(refused(exchange, target, whose));
    }
    if let Some(id) = &account.website_id {
        let page = listed.as_ref().and_then(|exchange| exchange.json());
        let rows = page.and_then(|page| page["items"].as_array()).into_iter().flatten();
        let row = rows.into_iter().find(|row| row["website_id"] == id.as_str());
        return Ok((id.clone(), row.cloned().unwrap_or_default()));
    }
    // A website that the set-up provides for checks may be paused, or accept no requests, during the run.
    let lent: Vec<&str> = [
        target.pausable.as_ref().map(|website| website.website_id()),
        target.restricted_key.as_ref().and_then(|lent| lent.website_id.as_deref()),
        target.failing_job.as_ref().and_then(|failing| failing.website_id.as_deref()),
    ]
    .into_iter()
    .flatten()
    .collect();
    let found = listed.as_ref().and_then(|exchange| exchange.json()).and_then(|page| first_active(page, &lent));
    match (found, listed) {
        (Some(row), _) => Ok((row["website_id"].as_str().unwrap_or_default().to_owned(), row)),
        (None, Some(exchange)) if !exchange.succeeded() => Err(SetUpError::Target(format!(
            "cannot find a website of {}, because GET /api/v1/websites responded {}: set {}",
            if credential == Credential::Main { "the account" } else { "the second account" },
            exchange.status,
            if credential == Credential::Main {
                "CONTENTGEN_WEBSITE_ID, or website_id in [target]"
            } else {
                "CONTENTGEN_OTHER_WEBSITE_ID, or website_id in [target.other_account]"
            }
        ))),
        _ => {
            notes.push("GET /api/v1/websites returned no active website, so requests use `web_unknown`".to_owned());
            Ok(("web_unknown".to_owned(), Value::Null))
        }
    }
}

/// Returns true if the website publishes at times of the week.
fn has_slots(row: &Value) -> bool {
    row["publishing_slots"].as_array().is_some_and(|slots| !slots.is_empty())
}

/// Returns true if the website's form refuses leads without consent.
fn asks_consent(row: &Value) -> bool {
    row["lead_form"]["consent_text"].is_string()
}

/// Returns the first active website that the set-up does not use for something else, if possible one without slots and consent text.
fn first_active(page: &Value, lent: &[&str]) -> Option<Value> {
    let is_free =
        |row: &&Value| row["status"] == "active" && row["website_id"].as_str().is_some_and(|id| !lent.contains(&id));
    let rows: Vec<&Value> = page["items"].as_array()?.iter().filter(is_free).collect();
    let plain = rows.iter().find(|row| !has_slots(row) && !asks_consent(row));
    plain.or(rows.first()).map(|row| (*row).clone())
}

/// Returns the features of the target. `full` implies every operation; `core` is probed.
async fn offered(questions: Questions<'_>) -> BTreeSet<Capability> {
    let all = [
        (Capability::JOBS, "get_job", "/jobs/conformance-preflight"),
        (Capability::ARTICLES, "list_articles", "/articles"),
        (Capability::PIPELINE, "list_scheduled_posts", "/scheduled_posts"),
        (Capability::LEADS, "list_leads", "/leads"),
        (Capability::WEBSITES, "list_websites", "/websites"),
    ];
    let mut offered = BTreeSet::new();
    for (capability, operation, path) in all {
        if questions.profile == Profile::Full {
            offered.insert(capability);
            continue;
        }
        let Ok(exchange) = questions.ask(Request::new(operation, "GET", path)).await else {
            continue;
        };
        let known_route = exchange.code() == Some("job_not_found");
        let is_page = exchange.json().is_some_and(|page| page["items"].is_array());
        if (exchange.status == 200 && is_page) || known_route {
            offered.insert(capability);
        }
    }
    offered
}

/// Returns the capabilities of this service that the set-up declares.
fn declared(target: &Target) -> impl Iterator<Item = Capability> {
    let has_form = |capture: &Capture| capture.method == "POST" && capture.url.ends_with("/capture/{website_id}");
    let all = [
        (Capability::CAPTURE, target.capture.is_some()),
        (Capability::LEAD_FORM, target.capture.as_ref().is_some_and(has_form)),
        (Capability::INACTIVE_WEBSITE, target.inactive_website_id.is_some()),
        (Capability::DOUBLE_OPT_IN, target.double_opt_in_website_id.is_some()),
        (Capability::RESTRICTED_KEY, target.restricted_key.as_ref().is_some_and(|key| key.website_id.is_some())),
        (Capability::FAILING_JOB, target.failing_job.is_some()),
        (Capability::PAUSING, target.pausable.is_some()),
        (Capability::CLOCK, target.clock.is_some()),
        (Capability::ERASING, target.eraser.is_some()),
        (Capability::RESTARTING, target.restarter.is_some()),
        (Capability::WRITER, target.writer.is_some()),
    ];
    all.into_iter().filter_map(|(capability, is_there)| is_there.then_some(capability))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::first_active;

    #[test]
    fn a_website_that_is_lent_for_something_else_is_not_the_one_under_test() {
        let page = json!({ "items": [
            { "website_id": "paused", "status": "paused" },
            { "website_id": "lent", "status": "active" },
            { "website_id": "slotted", "status": "active", "publishing_slots": [{ "weekday": "monday", "time": "09:00" }] },
            { "website_id": "asking", "status": "active", "lead_form": { "consent_text": "You may write to me." } },
            { "website_id": "free", "status": "active", "publishing_slots": [], "lead_form": { "consent_text": null } },
        ] });
        let first =
            |lent: &[&str]| first_active(&page, lent).and_then(|row| Some(row["website_id"].as_str()?.to_owned()));
        assert_eq!(first(&["lent"]).as_deref(), Some("free"));
        assert_eq!(first(&[]).as_deref(), Some("lent"));
        assert_eq!(first(&["lent", "free"]).as_deref(), Some("slotted"));
        assert_eq!(first(&["lent", "free", "slotted", "asking"]), None);
    }
}
