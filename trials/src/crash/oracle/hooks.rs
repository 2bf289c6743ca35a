//! Checks on events, deliveries and received requests. For jobs and articles see `work`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::HMAC;

use super::super::evidence::{Evidence, Received, Standstill};
use super::super::state::Event;
use super::work::counts;

/// Maximum difference between the signing time and the time of receipt.
const SIGNED_WITHIN: Duration = Duration::from_secs(5);
/// Both times are whole seconds, so they can appear up to this much further apart.
const ROUNDING: Duration = Duration::from_secs(1);
/// Maximum number of deliveries to one endpoint in flight, and so repeated, when a server is killed.
const IN_FLIGHT: usize = 5;

pub(super) fn one_event_per_article(evidence: &Evidence) -> Vec<String> {
    let published = evidence.state.articles.iter().filter(|article| article.status == "published");
    one_event_each(evidence, "article.published", &published.map(|article| article.id.as_str()).collect())
}

pub(super) fn one_event_per_lead(evidence: &Evidence) -> Vec<String> {
    one_event_each(evidence, "lead.captured", &evidence.state.leads.iter().map(|lead| lead.id.as_str()).collect())
}

fn one_event_each(evidence: &Evidence, kind: &str, objects: &BTreeSet<&str>) -> Vec<String> {
    let events = evidence.state.events.iter().filter(|event| event.kind == kind);
    let announced = counts(events.map(|event| event.object_id.as_str()));
    let wrong = objects.iter().map(|id| (*id, announced.get(id).copied().unwrap_or_default()));
    let wrong = wrong.filter(|(_, count)| *count != 1);
    let mut faults: Vec<String> = wrong.map(|(id, count)| format!("{id} has {count} events {kind}")).collect();
    let strays = announced.keys().filter(|id| !objects.contains(*id));
    faults.extend(strays.map(|id| format!("{id} has an event, but does not exist")));
    faults
}

pub(super) fn delivered(evidence: &Evidence) -> Vec<String> {
    let accepted: BTreeSet<(usize, &str)> = evidence
        .requests
        .iter()
        .filter(|request| request.is_accepted())
        .map(|request| (request.endpoint, request.webhook_id.as_str()))
        .collect();
    let recorded: BTreeMap<(&str, &str), &str> = evidence
        .state
        .deliveries
        .iter()
        .map(|delivery| ((delivery.endpoint_id.as_str(), delivery.event_id.as_str()), delivery.status.as_str()))
        .collect();
    let mut faults = Vec::new();
    for (index, endpoint) in evidence.endpoints.iter().enumerate().filter(|(_, endpoint)| !endpoint.is_removed) {
        for event in &evidence.state.events {
            let status = recorded.get(&(endpoint.id.as_str(), event.id.as_str())).copied().unwrap_or("missing");
            if status != "succeeded" || !accepted.contains(&(index, event.id.as_str())) {
                let received = accepted.contains(&(index, event.id.as_str()));
                faults.push(format!("{} to {}: recorded as {status}, accepted: {received}", event.id, endpoint.id));
            }
        }
    }
    faults
}

pub(super) fn one_id_one_body(evidence: &Evidence) -> Vec<String> {
    let events: BTreeMap<&str, &Event> = evidence.state.events.iter().map(|event| (event.id.as_str(), event)).collect();
    let mut faults = BTreeSet::new();
    for request in &evidence.requests {
        let id = &request.webhook_id;
        let Some(event) = events.get(id.as_str()) else {
            faults.insert(format!("{id} was sent, but is not stored"));
            continue;
        };
        let with_content = event.body_with_content.as_ref().unwrap_or(&event.body);
        let has_content = evidence.endpoints.get(request.endpoint).is_some_and(|endpoint| endpoint.has_content);
        let stored = if has_content { with_content } else { &event.body };
        if request.body != *stored {
            faults
                .insert(format!("{id} arrived at endpoint {} with other bytes than the stored ones", request.endpoint));
        }
        let named = serde_json::from_slice::<serde_json::Value>(&request.body).unwrap_or_default();
        if named["id"] != id.as_str() {
            faults.insert(format!("{id} arrived with the body of {}", named["id"]));
        }
    }
    faults.into_iter().collect()
}

pub(super) fn signatures(evidence: &Evidence) -> Vec<String> {
    let forged = evidence.requests.iter().filter(|request| !is_signed(evidence, request));
    let forged = forged.map(|request| format!("{} at endpoint {}", request.webhook_id, request.endpoint));
    forged.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns true if the signature follows Standard Webhooks 1.0.0: `v1,` and the base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}`.
fn is_signed(evidence: &Evidence, request: &Received) -> bool {
    let Some(endpoint) = evidence.endpoints.get(request.endpoint) else { return false };
    let mut mac = HMAC::new(&endpoint.secret);
    mac.update(format!("{}.{}.", request.webhook_id, request.timestamp));
    mac.update(&request.body);
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize()));
    request.signature.split(' ').any(|signature| signature == expected)
}

pub(super) fn timestamps(evidence: &Evidence) -> Vec<String> {
    if evidence.is_clock_wrong {
        return Vec::new();
    }
    // A process that was stopped between signing and sending could not send earlier.
    let stood_still = |signed: u64, received: u64| -> Duration {
        let lies_between = |still: &&Standstill| signed <= still.certain.start && still.certain.end <= received;
        evidence.standstills.iter().filter(lies_between).map(|still| still.longest).sum()
    };
    let off = |request: &&Received| {
        request.timestamp.parse::<u64>().map_or(true, |signed| {
            let apart = Duration::from_secs(signed.abs_diff(request.seconds));
            apart >= SIGNED_WITHIN + stood_still(signed, request.seconds) + ROUNDING
        })
    };
    let late = evidence.requests.iter().filter(off);
    late.map(|request| {
        format!("{} signed at {}, received at {}", request.webhook_id, request.timestamp, request.seconds)
    })
    .collect()
}

pub(super) fn repeats(evidence: &Evidence) -> Vec<String> {
    let mut all: BTreeMap<(usize, &str), (usize, usize)> = BTreeMap::new();
    for request in &evidence.requests {
        let (requests, accepted) = all.entry((request.endpoint, &request.webhook_id)).or_default();
        *requests += 1;
        *accepted += usize::from(request.is_accepted());
    }
    let (interruptions, retries) = (evidence.interruptions, evidence.retries);
    let mut faults = Vec::new();
    for ((endpoint, id), (requests, accepted)) in &all {
        if *accepted > 1 + interruptions || *requests > 1 + interruptions + retries {
            faults.push(format!(
                "{id} arrived {requests} times at endpoint {endpoint}, and was accepted {accepted} times"
            ));
        }
    }
    let repeated: usize = all.values().map(|(_, accepted)| accepted.saturating_sub(1)).sum();
    let most = interruptions * IN_FLIGHT * evidence.endpoints.len();
    if repeated > most {
        faults.push(format!("{repeated} accepted deliveries were repeated, at most {most} can have been in flight"));
    }
    faults
}
