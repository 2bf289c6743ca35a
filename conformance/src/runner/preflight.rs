//! The first questions to a target: does it answer, does it take the key, which website, what does it offer.
//!
//! Nothing is judged here, and an article ordered only where nothing else tells whether the key works.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::own_address::own_addresses;
use super::set_up::SetUpError;
use super::target::{Account, HookSetUp, Target};
use super::transport::Transport;
use crate::check::{Capability, Capture, Credential, Exchange, Facts, Request, Secrets};
use crate::inbox::HookAbility;
use crate::spec::Profile;
use crate::steps::segment;

/// An id that no server has given out.
const NOBODY: &str = "conformance-preflight";

/// What the preflight found out.
pub(crate) struct Preflight {
    pub(crate) facts: Facts,
    pub(crate) notes: Vec<String>,
}

/// Asks the target.
pub(crate) async fn ask(
    target: &Target,
    transport: &Arc<Transport>,
    profile: Profile,
    started: i64,
    run: String,
) -> Result<Preflight, SetUpError> {
    let mut notes = Vec::new();
    let article = Request::new("get_article", "GET", &format!("/articles/{NOBODY}"));
    match transport.ask(article).await {
        Ok(exchange) if exchange.status == 429 => {
            return Err(SetUpError::Target(format!(
                "the target at {} answers 429 however long it is waited for: is the key's quota spent?",
                target.base_url
            )));
        }
        Ok(exchange) if let Some(proxy) = exchange.answered_by_proxy() => {
            return Err(SetUpError::Target(format!(
                "a proxy ({proxy}) before the target at {} answers {} itself: is the server behind it running and the base URL right?",
                target.base_url, exchange.status
            )));
        }
        Ok(exchange) => key_works(&exchange, target, transport).await?,
        Err(fault) if fault.detail.starts_with("no ") || fault.detail.contains("time-out") => {
            return Err(SetUpError::Target(format!(
                "the target at {} cannot be reached: {fault}. Is the server running and the base URL right?",
                target.base_url
            )));
        }
        Err(fault) => notes.push(format!("the first request got {fault}")),
    }
    let website_id = website(target, transport, &target.account, Credential::Main, &mut notes).await?;
    let other_website_id = match &target.other_account {
        Some(account) => Some(website(target, transport, account, Credential::Other, &mut notes).await?),
        None => None,
    };
    let mut capabilities = offered(transport, profile).await;
    if profile == Profile::Full {
        // It is refused, and tells the quota of ordering.
        let _ = transport.ask(Request::new("generate", "POST", "/generate").json(&json!({}))).await;
    }
    declared(target, &mut capabilities);
    let capture = target.capture.clone().map(|mut capture| {
        capture.url =
            capture.url.replace("{base_url}", &target.base_url).replace("{website_id}", &segment(&website_id));
        capture
    });
    let reached: Vec<&str> =
        [&target.base_url].into_iter().chain(capture.as_ref().map(|capture| &capture.url)).map(|url| &**url).collect();
    let own_addresses = own_addresses(&reached).await;
    Ok(Preflight {
        facts: Facts {
            base_url: target.base_url.clone(),
            website_id,
            other_website_id,
            inactive_website_id: target.inactive_website_id.clone(),
            capabilities,
            article_id_from: target.article_id_from,
            hook_id_pointer: target.hook_id_pointer.clone(),
            ready_within: target.ready_within,
            retry_within: target.hooks.as_ref().and_then(|hooks| hooks.retry_within),
            capture,
            own_addresses,
            started,
            run,
            secrets: Secrets::new(target.keys().into_iter().map(|(key, _)| key)),
        },
        notes,
    })
}

/// A server may answer 401 or 403 for an unknown article; only when nothing else works either, the key is refused.
async fn key_works(exchange: &Exchange, target: &Target, transport: &Arc<Transport>) -> Result<(), SetUpError> {
    if !is_refusal(exchange) {
        return Ok(());
    }
    let websites = Request::new("list_websites", "GET", "/websites");
    if transport.ask(websites).await.is_ok_and(|listed| listed.succeeded()) {
        return Ok(());
    }
    if let Some(website_id) = &target.account.website_id {
        let body = json!({ "topic": "Checking whether the key works", "website_id": website_id });
        let generate = Request::new("generate", "POST", "/generate").json(&body);
        if transport.ask(generate).await.is_ok_and(|queued| !is_refusal(&queued)) {
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
        "the target at {} refuses {whose} with status {}: check that it is a live key of this server",
        target.base_url, exchange.status
    ))
}

/// The account's website: as configured, else the first active one that the target lists.
async fn website(
    target: &Target,
    transport: &Arc<Transport>,
    account: &Account,
    credential: Credential,
    notes: &mut Vec<String>,
) -> Result<String, SetUpError> {
    let whose = if credential == Credential::Main { "the API key" } else { "the second account's key" };
    let request = Request::new("list_websites", "GET", "/websites?limit=100").by(credential.clone());
    let listed = transport.ask(request).await.ok();
    if let Some(exchange) = listed.as_ref().filter(|exchange| exchange.status == 401) {
        return Err(refused(exchange, target, whose));
    }
    if let Some(id) = &account.website_id {
        return Ok(id.clone());
    }
    let found = listed.as_ref().and_then(|exchange| exchange.json()).and_then(first_active);
    match (found, listed) {
        (Some(id), _) => Ok(id),
        (None, Some(exchange)) if !exchange.succeeded() => Err(SetUpError::Target(format!(
            "no website of {} is known: set {}, because GET /api/v1/websites answered {}",
            if credential == Credential::Main { "the account" } else { "the second account" },
            if credential == Credential::Main {
                "CONTENTGEN_WEBSITE_ID, or website_id in [target]"
            } else {
                "CONTENTGEN_OTHER_WEBSITE_ID, or website_id in [target.other_account]"
            },
            exchange.status
        ))),
        _ => {
            notes.push("GET /api/v1/websites named no active website, so requests use `web_unknown`".to_owned());
            Ok("web_unknown".to_owned())
        }
    }
}

fn first_active(page: &Value) -> Option<String> {
    let items = page["items"].as_array()?;
    let active = items.iter().find(|item| item["status"] == "active")?;
    active["website_id"].as_str().map(ToOwned::to_owned)
}

/// `full` claims every operation; `core` is asked what it has.
async fn offered(transport: &Arc<Transport>, profile: Profile) -> BTreeSet<Capability> {
    let all = [
        (Capability::Jobs, "get_job", "/jobs/conformance-preflight"),
        (Capability::Articles, "list_articles", "/articles"),
        (Capability::Pipeline, "list_scheduled_posts", "/scheduled_posts"),
        (Capability::Leads, "list_leads", "/leads"),
        (Capability::Websites, "list_websites", "/websites"),
    ];
    let mut offered = BTreeSet::new();
    for (capability, operation, path) in all {
        if profile == Profile::Full {
            offered.insert(capability);
            continue;
        }
        let Ok(exchange) = transport.ask(Request::new(operation, "GET", path)).await else {
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

fn declared(target: &Target, capabilities: &mut BTreeSet<Capability>) {
    let mut declare = |capability, is_there: bool| {
        if is_there {
            capabilities.insert(capability);
        }
    };
    declare(Capability::Isolation, target.other_account.is_some());
    declare(Capability::Capture, target.capture.is_some());
    let has_form = |capture: &Capture| capture.method == "POST" && capture.url.ends_with("/capture/{website_id}");
    declare(Capability::LeadForm, target.capture.as_ref().is_some_and(has_form));
    declare(Capability::SmallQuota, target.small_quota.is_some());
    declare(Capability::NarrowScope, target.narrow_scope.is_some());
    declare(Capability::InactiveWebsite, target.inactive_website_id.is_some());
    declare(Capability::Hooks, target.hooks.is_some());
    let offers = |ability| {
        let registrar = target.hooks.as_ref().and_then(|hooks| hooks.registrar.as_ref());
        registrar.is_some_and(|registrar| registrar.offers(ability))
    };
    declare(Capability::HookRegistration, offers(HookAbility::Remove));
    declare(Capability::HookFilter, offers(HookAbility::RegisterLeads));
    declare(Capability::HookRotation, offers(HookAbility::Rotate));
    declare(Capability::HookRedelivery, offers(HookAbility::Redeliver));
    declare(Capability::PrivateAddresses, target.hooks.as_ref().is_some_and(|hooks| hooks.probe_private_addresses));
    declare(Capability::DirectReceiver, target.hooks.as_ref().is_some_and(HookSetUp::is_direct));
    // Raw bytes take no way through a proxy.
    let is_direct = target.base_url.starts_with("http://") || target.https_proxy.is_none();
    declare(Capability::RawConnection, is_direct);
}
