//! Tests that the oracle detects planted faults, and passes sound evidence. An outside tool computed the signatures.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hmac_sha256::HMAC;

use super::super::evidence::{Acknowledged, Endpoint, Evidence, Received, Standstill};
use super::super::state::{Article, Delivery, Event, Job, Key, Lead, Post, State};
use super::judge;

const NOW: u64 = 1_790_000_000;

fn signed(secret: &[u8], id: &str, timestamp: &str, body: &[u8]) -> String {
    let text = [format!("{id}.{timestamp}.").as_bytes(), body].concat();
    format!("v1,{}", STANDARD.encode(HMAC::mac(text, secret)))
}

fn event(id: &str, kind: &str, object_id: &str) -> Event {
    let body = format!("{{\"id\":\"{id}\"}}").into_bytes();
    let body_with_content = Some(format!("{{\"id\":\"{id}\",\"text\":\"apples\"}}").into_bytes());
    Event { id: id.to_owned(), kind: kind.to_owned(), object_id: object_id.to_owned(), body, body_with_content }
}

fn request(endpoints: &[Endpoint], endpoint: usize, event: &Event, status: Option<u16>) -> Received {
    let with_content = event.body_with_content.clone().filter(|_| endpoints[endpoint].has_content);
    let body = with_content.unwrap_or_else(|| event.body.clone());
    let signature = signed(&endpoints[endpoint].secret, &event.id, &NOW.to_string(), &body);
    Received {
        endpoint,
        webhook_id: event.id.clone(),
        timestamp: NOW.to_string(),
        signature,
        body: Bytes::from(body),
        seconds: NOW + 1,
        arrived: Instant::now(),
        status,
    }
}

/// Two articles and a lead, delivered to two endpoints, one of which refused everything once.
fn sound() -> Evidence {
    let endpoint = |id: &str, has_content| {
        let secret = format!("the secret of {id}").into_bytes();
        Endpoint { id: id.to_owned(), secret, has_content, is_removed: false }
    };
    let endpoints = vec![endpoint("hook_a", false), endpoint("hook_b", true)];
    let mut state = State::default();
    let mut acknowledged = Vec::new();
    for number in 1..=2 {
        let (id, job_id) = (|kind: &str| format!("{kind}_{number}"), format!("job_{number}"));
        let job = Job { id: job_id.clone(), status: "completed".to_owned(), is_leased: false, error: None };
        state.jobs.push(job);
        let status = || "published".to_owned();
        state.posts.push(Post { id: id("post"), job_id: Some(job_id.clone()), status: status(), is_leased: false });
        state.articles.push(Article { id: id("art"), job_id: Some(job_id.clone()), status: status() });
        state.keys.push(Key { key: id("key"), job_id: job_id.clone() });
        state.events.push(event(&id("evt"), "article.published", &id("art")));
        acknowledged.push(Acknowledged { key: id("key"), job_id });
    }
    state.leads.push(Lead { id: "lead_1".to_owned(), email: "reader@example.com".to_owned() });
    state.events.push(event("evt_3", "lead.captured", "lead_1"));
    let mut requests = Vec::new();
    for (index, endpoint) in endpoints.iter().enumerate() {
        for event in &state.events {
            requests.push(request(&endpoints, index, event, (index == 0).then_some(500)));
            requests.push(request(&endpoints, index, event, Some(200)));
            state.deliveries.push(Delivery {
                id: format!("dlv_{}_{}", endpoint.id, event.id),
                event_id: event.id.clone(),
                endpoint_id: endpoint.id.clone(),
                status: "succeeded".to_owned(),
                is_leased: false,
            });
        }
    }
    Evidence {
        acknowledged,
        leads: vec!["reader@example.com".to_owned()],
        endpoints,
        requests,
        state,
        damage: Vec::new(),
        interruptions: 1,
        retries: 3,
        is_clock_wrong: false,
        standstills: Vec::new(),
    }
}

/// Returns the names of the checks that find something.
fn findings(evidence: &Evidence) -> Vec<&'static str> {
    let verdicts = judge(evidence).into_iter();
    verdicts.filter(|verdict| !verdict.faults.is_empty()).map(|verdict| verdict.check).collect()
}

#[test]
fn a_run_in_which_all_went_well_passes() {
    assert_eq!(findings(&sound()), [""; 0]);
}

#[test]
fn each_check_finds_the_violation_that_is_planted_for_it() {
    type Violation = (&'static str, fn(&mut Evidence));
    let violations: [Violation; 22] = [
        ("acknowledged-jobs", |it| it.acknowledged[0].job_id = "job_lost".to_owned()),
        ("finished-jobs", |it| it.state.jobs[0].status = "failed".to_owned()),
        ("finished-jobs", |it| drop(it.state.articles.remove(0))),
        ("no-job-twice", |it| it.state.articles.push(it.state.articles[0].clone())),
        ("no-job-twice", |it| it.state.articles[0].job_id = None),
        ("one-job-per-key", |it| it.state.keys[0].job_id = "job_2".to_owned()),
        ("one-job-per-key", |it| it.state.jobs.push(Job { id: "job_3".to_owned(), ..it.state.jobs[0].clone() })),
        ("published-posts", |it| it.state.posts[0].status = "scheduled".to_owned()),
        ("published-posts", |it| drop(it.state.posts.remove(0))),
        ("acknowledged-leads", |it| it.state.leads.clear()),
        ("acknowledged-leads", |it| it.state.leads.push(it.state.leads[0].clone())),
        ("nothing-left", |it| it.state.jobs[0].is_leased = true),
        ("nothing-left", |it| it.state.deliveries[0].is_leased = true),
        ("nothing-left", |it| it.state.counted_unfinished = 1),
        ("database-intact", |it| it.damage.push("row 3 missing from index".to_owned())),
        ("one-event-per-article", |it| drop(it.state.events.remove(0))),
        ("one-event-per-article", |it| it.state.events.push(event("evt_9", "article.published", "art_1"))),
        ("one-event-per-lead", |it| it.state.events[2].object_id = "lead_9".to_owned()),
        ("delivered", |it| it.state.deliveries[0].status = "exhausted".to_owned()),
        ("delivered", |it| it.requests.retain(|request| request.webhook_id != "evt_1" || request.endpoint != 1)),
        ("one-id-one-body", |it| it.requests[0].webhook_id = "evt_unknown".to_owned()),
        ("one-id-one-body", |it| it.requests[0].body = Bytes::from_static(b"{\"id\":\"evt_1\" }")),
    ];
    for (number, (check, plant)) in violations.into_iter().enumerate() {
        let mut evidence = sound();
        plant(&mut evidence);
        assert!(findings(&evidence).contains(&check), "violation {number}: {check} finds nothing");
    }
}

#[test]
fn a_request_that_is_signed_with_another_secret_or_late_is_found() {
    let mut evidence = sound();
    evidence.endpoints[1].secret[0] ^= 1;
    assert_eq!(findings(&evidence), ["signatures"]);

    let mut evidence = sound();
    evidence.requests[3].seconds += 10;
    assert_eq!(findings(&evidence), ["timestamps"]);
    evidence.is_clock_wrong = true;
    assert_eq!(findings(&evidence), [""; 0]);
}

#[test]
fn a_standstill_between_signing_and_receipt_does_not_make_a_request_late_but_one_before_or_after_it_does() {
    let mut evidence = sound();
    let signed: u64 = evidence.requests[3].timestamp.parse().unwrap();
    evidence.requests[3].seconds = signed + 12;
    for (standstill, is_late) in [
        (signed..signed + 9, false),
        (signed + 3..signed + 12, false),
        (signed + 2..signed + 8, true),
        (signed + 4..signed + 13, true),
        (signed - 1..signed + 9, true),
    ] {
        let longest = Duration::from_secs(standstill.end - standstill.start);
        evidence.standstills = vec![Standstill { certain: standstill.clone(), longest }];
        assert_eq!(findings(&evidence) == ["timestamps"], is_late, "{standstill:?} from {signed}");
    }
}

#[test]
fn standstills_between_signing_and_receipt_add_up_with_the_time_that_stopping_and_going_on_took() {
    let mut evidence = sound();
    let signed: u64 = evidence.requests[3].timestamp.parse().unwrap();
    let standstill = |second: u64, millis: u64| {
        let second = signed + second;
        Standstill { certain: second..second, longest: Duration::from_millis(millis) }
    };
    evidence.standstills = vec![standstill(1, 2500), standstill(4, 1500)];
    // Five seconds are allowed, and the process was stopped for four.
    for (seconds, is_late) in [(9, false), (10, true)] {
        evidence.requests[3].seconds = signed + seconds;
        assert_eq!(findings(&evidence) == ["timestamps"], is_late, "received {seconds} s later");
    }
    // A slightly longer stop can appear a second longer, because both times are whole seconds.
    evidence.standstills[1].longest += Duration::from_millis(100);
    assert_eq!(findings(&evidence), [""; 0]);
    evidence.standstills.truncate(1);
    assert_eq!(findings(&evidence), ["timestamps"]);
}

#[test]
fn a_delivery_may_be_repeated_as_often_as_it_was_interrupted_and_not_once_more() {
    let mut evidence = sound();
    let again = evidence.requests[1].clone();
    assert!(again.is_accepted());
    evidence.requests.push(again.clone());
    evidence.requests.push(again.clone());
    assert_eq!(findings(&evidence), ["repeats"]);
    evidence.interruptions = 2;
    assert_eq!(findings(&evidence), [""; 0]);
    // Refused deliveries are retried as often as the schedule says, and no more often.
    let refused = evidence.requests[0].clone();
    evidence.requests.extend([0; 3].map(|_| refused.clone()));
    assert_eq!(findings(&evidence), ["repeats"]);
}

#[test]
fn more_repeats_than_can_have_been_in_flight_are_found_however_they_are_spread() {
    let mut evidence = sound();
    for number in 10..40 {
        let more = event(&format!("evt_{number}"), "lead.captured", &format!("lead_{number}"));
        evidence.state.leads.push(Lead { id: more.object_id.clone(), email: format!("reader-{number}@example.com") });
        for index in 0..2 {
            let mut delivery = evidence.state.deliveries[0].clone();
            delivery.event_id.clone_from(&more.id);
            delivery.endpoint_id.clone_from(&evidence.endpoints[index].id);
            evidence.state.deliveries.push(delivery);
            let once = request(&evidence.endpoints, index, &more, Some(200));
            evidence.requests.extend([once.clone(), once]);
        }
        evidence.state.events.push(more);
    }
    assert_eq!(findings(&evidence), ["repeats"]);
}

#[test]
fn an_endpoint_that_was_removed_need_not_get_everything() {
    let mut evidence = sound();
    evidence.state.deliveries.retain(|delivery| delivery.endpoint_id != "hook_a");
    assert_eq!(findings(&evidence), ["delivered"]);
    evidence.endpoints[0].is_removed = true;
    assert_eq!(findings(&evidence), [""; 0]);
}

#[test]
fn the_signatures_that_an_outside_tool_computed_are_accepted() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../conformance/vectors/webhook_signatures.json");
    let vectors: Vec<serde_json::Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(!vectors.is_empty());
    for vector in vectors {
        let text = |name: &str| vector[name].as_str().unwrap().to_owned();
        let secret = STANDARD.decode(text("secret").strip_prefix("whsec_").unwrap()).unwrap();
        let body = STANDARD.decode(text("body_base64")).unwrap();
        let mut evidence = sound();
        evidence.endpoints[0].secret = secret;
        evidence.requests.truncate(1);
        let request = &mut evidence.requests[0];
        (request.webhook_id, request.timestamp, request.signature) = (text("id"), text("timestamp"), text("signature"));
        request.body = Bytes::from(body);
        assert!(!findings(&evidence).contains(&"signatures"), "{}", text("name"));
        evidence.requests[0].signature = text("signature").to_lowercase();
        assert!(findings(&evidence).contains(&"signatures"), "{}", text("name"));
    }
}
