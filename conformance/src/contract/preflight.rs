//! The first questions to a target of this service: does it take the key, which website, what does it offer.
//!
//! Nothing is judged here, and an article ordered only where nothing else tells whether the key works.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::{Capability, Capture, Credential, Exchange, Facts, Request};
use crate::runner::{Account, Questions, SetUpError, Target};
use crate::spec::Profile;
use crate::steps::segment;

/// Asks the target what it is and offers.
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
    facts.website_id = website(target, questions, &target.account, Credential::Main, notes).await?;
    facts.other_website_id = match &target.other_account {
        Some(account) => Some(website(target, questions, account, Credential::Other, notes).await?),
        None => None,
    };
    let offered = offered(questions).await;
    facts.capabilities.extend(offered);
    if profile == Profile::Full {
        // It is refused, and tells the quota of ordering.
        let _ = questions.ask(Request::new("generate", "POST", "/generate").json(&json!({}))).await;
    }
    facts.capabilities.extend(declared(target));
    facts.inactive_website_id.clone_from(&target.inactive_website_id);
    facts.double_opt_in_website_id.clone_from(&target.double_opt_in_website_id);
    facts.restricted_website_id = target.restricted_key.as_ref().and_then(|key| key.website_id.clone());
    facts.failing_job.clone_from(&target.failing_job);
    facts.pausable.clone_from(&target.pausable);
    facts.eraser.clone_from(&target.eraser);
    facts.article_id_from = target.article_id_from;
    facts.hook_id_pointer.clone_from(&target.hook_id_pointer);
    facts.capture = target.capture.clone().map(|mut capture| {
        let website_id = segment(&facts.website_id);
        capture.url = capture.url.replace("{base_url}", &target.base_url).replace("{website_id}", &website_id);
        capture
    });
    Ok(())
}

/// A server may answer 401 or 403 for an unknown article; only when nothing else works either, the key is refused.
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

/// The account's website: as configured, else the first active one that the target lists.
async fn website(
    target: &Target,
    questions: Questions<'_>,
    account: &Account,
    credential: Credential,
    notes: &mut Vec<String>,
) -> Result<String, SetUpError> {
    let whose = if credential == Credential::Main { "the API key" } else { "the second account's key" };
    let request = Request::new("list_websites", "GET", "/websites?limit=100").by(credential.clone());
    let listed = questions.ask(request).await.ok();
    if let Some(exchange) = listed.as_ref().filter(|exchange| exchange.status == 401) {
        return Err(refused(exchange, target, whose));
    }
    if let Some(id) = &account.website_id {
        let page = listed.as_ref().and_then(|exchange| exchange.json());
        if let Some(obstacle) = page.and_then(|page| obstacle_on(page, id)) {
            return Err(SetUpError::Target(format!("website {id} {obstacle}: configure another website")));
        }
        return Ok(id.clone());
    }
    // What is lent is paused, or takes no orders, while others are at work.
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
        (Some(id), _) => Ok(id),
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
            Ok("web_unknown".to_owned())
        }
    }
}

/// What keeps the website from being tested, if it is in the list and something does.
fn obstacle_on(page: &Value, website_id: &str) -> Option<&'static str> {
    page["items"].as_array()?.iter().find(|item| item["website_id"] == website_id).and_then(obstacle)
}

/// A setting of a website that would make a right server answer otherwise than the checks expect.
fn obstacle(item: &Value) -> Option<&'static str> {
    if item["publishing_slots"].as_array().is_some_and(|slots| !slots.is_empty()) {
        return Some("has publishing_slots, which would delay what the suite publishes");
    }
    let asks = item["lead_form"]["consent_text"].is_string();
    asks.then_some("has a consent_text, so it would refuse the suite's lead forms, which do not send it")
}

/// The first website that takes orders, publishes what is ready, takes each form, and is not among those that are `lent` for something else.
fn first_active(page: &Value, lent: &[&str]) -> Option<String> {
    let active = page["items"].as_array()?.iter().filter(|item| item["status"] == "active" && obstacle(item).is_none());
    let mut ids = active.filter_map(|item| item["website_id"].as_str());
    ids.find(|id| !lent.contains(id)).map(ToOwned::to_owned)
}

/// `full` claims every operation; `core` is asked what it has.
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

/// What the set-up says of this service.
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
        (Capability::ERASING, target.eraser.is_some()),
    ];
    all.into_iter().filter_map(|(capability, is_there)| is_there.then_some(capability))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{first_active, obstacle_on};

    #[test]
    fn a_website_that_is_lent_for_something_else_is_not_the_one_under_test() {
        let page = json!({ "items": [
            { "website_id": "paused", "status": "paused" },
            { "website_id": "lent", "status": "active" },
            { "website_id": "slotted", "status": "active", "publishing_slots": [{ "weekday": "monday", "time": "09:00" }] },
            { "website_id": "asking", "status": "active", "lead_form": { "consent_text": "You may write to me." } },
            { "website_id": "free", "status": "active", "publishing_slots": [], "lead_form": { "consent_text": null } },
        ] });
        assert_eq!(first_active(&page, &["lent"]).as_deref(), Some("free"));
        assert_eq!(first_active(&page, &[]).as_deref(), Some("lent"));
        assert_eq!(first_active(&page, &["lent", "free"]), None);
        let names = |id: &str, setting: &str| obstacle_on(&page, id).is_some_and(|obstacle| obstacle.contains(setting));
        assert!(names("slotted", "publishing_slots") && names("asking", "consent_text"));
        assert!(["lent", "free", "unlisted"].iter().all(|id| obstacle_on(&page, id).is_none()));
    }
}
