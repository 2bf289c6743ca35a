//! Texts of problems: the server sends those in the document's examples for each code, and those under `x-field-errors`.

use std::collections::{BTreeMap, BTreeSet};

use contentgen_server_stub::app::Limits;
use contentgen_server_stub::domain::lead_form::LeadForm;
use contentgen_server_stub::domain::store::QueueLimits;
use contentgen_server_stub::http::Quotas;
use contentgen_server_stub::server::Settings;
use serde_json::{Value, json};

use super::contract::{DOCUMENT, detail, documented_details, masked};
use super::world::{World, own, written};
use crate::operation::raw_connection::{body, send};

/// Codes that tests cannot make the reference server send.
const NOT_SENT: [&str; 2] = ["idempotency_in_flight", "internal_error"];
/// Codes whose texts other tests check: `operation/health.rs` and `double_opt_in.rs`.
const CHECKED_ELSEWHERE: [&str; 3] = ["request_timeout", "unavailable", "confirmation_expired"];
const GENERATE: &str = "/api/v1/generate";

#[tokio::test]
async fn the_detail_of_each_problem_is_the_documents() {
    let limits = Limits { queue: QueueLimits { per_website: 3, per_account: 10, per_day: None } };
    let (running, world) = own(Settings { limits, capture_quota: Quotas::CAPTURE, ..Settings::demo() }).await;
    let (account, caller) = (&world.accounts[0], world.first());
    let order = world.order("A topic");
    let mut problems = Vec::new();

    let completed = written(&caller, &order).await;
    let completed = completed["job_id"].as_str().unwrap();
    let failed =
        written(&caller, &json!({ "topic": "x", "website_id": world.website_id(), "language": "x-none" })).await;
    let later = json!({ "topic": "x", "website_id": world.website_id(), "target_word_count": 5000 });
    let key =
        || caller.request("POST", GENERATE).header("idempotency-key", "k").header("content-type", "application/json");
    assert_eq!(caller.send(key().body(order.to_string())).await.status, 202);
    problems.push(caller.send(key().body(later.to_string())).await.json());
    for text in ["{\"topic\":", "{\"topic\":\"x\"}", "{\"topic\":\"x\",\"website_id\":\"web_none\"}"] {
        problems.push(caller.post_text(GENERATE, text).await.json());
    }
    let inactive = json!({ "topic": "x", "website_id": account.inactive_website_id });
    problems.push(caller.generate(&inactive).await.json());
    problems.push(caller.send(caller.request("POST", GENERATE).body("{}")).await.json());
    problems.push(caller.post_text(GENERATE, &"x".repeat(70_000)).await.json());
    let bad_key = caller.request("POST", GENERATE).header("idempotency-key", "a b");
    problems.push(caller.send(bad_key.header("content-type", "application/json").body("{}")).await.json());
    problems.push(caller.with_key(None).get("/api/v1/websites").await.json());
    problems.push(caller.with_key(Some(&account.revoked_api_key)).get("/api/v1/websites").await.json());
    problems.push(caller.with_key(Some(&account.narrow_api_key)).generate(&order).await.json());
    for path in [
        "/api/v1/unknown",
        "/api/v1/articles?limit=101",
        "/api/v1/articles?page_token=x",
        "/api/v1/articles/art_none",
        "/api/v1/jobs/job_none",
        "/api/v1/leads/lead_none",
        "/api/v1/scheduled_posts/post_none",
        &format!("/api/v1/articles/{}", failed["job_id"].as_str().unwrap()),
    ] {
        problems.push(caller.get(path).await.json());
    }
    problems.push(caller.post_text("/api/v1/articles", "").await.json());
    problems.push(caller.post_text(&format!("/api/v1/jobs/{completed}/cancel"), "").await.json());
    let large = format!("x-large: {}\r\n", "x".repeat(17_000));
    let answer = send(&world.base_url, "GET", "/api/v1/websites", &large, "").await;
    problems.push(serde_json::from_str(body(&answer)).unwrap());
    let visitor = caller.with_key(None);
    let form = format!("/capture/{}", world.website_id());
    let malformed = visitor.request("POST", &form).header("content-type", "multipart/form-data; boundary=b").body("x");
    problems.push(visitor.send(malformed).await.json());
    problems.push(visitor.send(visitor.request("POST", &form).body("x")).await.json());
    problems.push(visitor.post_text("/capture/web_none", "{}").await.json());
    problems.push(visitor.get(&format!("{form}/confirmations/x")).await.json());
    problems.push(visitor.get(&form).await.json());
    for _ in 0..10 {
        problems.push(visitor.post_text(&form, "{}").await.json());
    }
    let limited = caller.with_key(Some(&account.limited_api_key));
    let charged = async || limited.post_text(GENERATE, "{\"topic\":\"x\"}").await.json();
    problems.extend([charged().await, charged().await, charged().await]);
    assert!(running.stop().await);

    let (running, world) = own(Settings { is_worker: false, limits, ..Settings::demo() }).await;
    let caller = world.first();
    let queued = caller.generate(&order_of(&world)).await.json()["job_id"].as_str().unwrap().to_owned();
    problems.push(caller.get(&format!("/api/v1/articles/{queued}")).await.json());
    assert_eq!(caller.post_text(&format!("/api/v1/jobs/{queued}/cancel"), "").await.status, 200);
    problems.push(caller.get(&format!("/api/v1/articles/{queued}")).await.json());
    for _ in 0..4 {
        problems.push(caller.generate(&order_of(&world)).await.json());
    }
    assert!(running.stop().await);

    let problems: Vec<_> = problems.into_iter().filter(|problem| problem["code"].is_string()).collect();
    let sent: BTreeSet<_> =
        problems.iter().map(|problem| (problem["code"].as_str().unwrap().to_owned(), detail(problem))).collect();
    let mut documented = documented_details();
    documented.retain(|(code, _)| !NOT_SENT.contains(&code.as_str()) && !CHECKED_ELSEWHERE.contains(&code.as_str()));
    assert_eq!(sent, documented);
}

fn order_of(world: &World) -> Value {
    world.order("A topic")
}

#[tokio::test]
async fn the_texts_of_field_errors_are_the_documents() {
    let (running, world) = own(Settings { is_worker: false, ..Settings::demo() }).await;
    let caller = world.first();
    let mut answers = Vec::new();
    let long = |length: usize| "x".repeat(length);
    let members = |count: usize| -> Value {
        (0..count).map(|index| (format!("m{index}"), json!("v"))).collect::<serde_json::Map<_, _>>().into()
    };
    for (field, value) in [
        ("topic", Value::Null),
        ("topic", json!(" ")),
        ("topic", json!("\u{0}")),
        ("topic", json!(long(1001))),
        ("website_id", json!("web_none")),
        ("language", json!("english_uk")),
        ("keywords", json!("a")),
        ("keywords", json!([""])),
        ("keywords", Value::from(vec!["k"; 11])),
        ("target_word_count", json!(1)),
        ("target_word_count", json!(200.0)),
        ("auto_publish", json!("true")),
        ("publish_at", json!("2027-01-01")),
        ("publish_at", json!("2999-01-01T00:00:00Z")),
        ("metadata", json!("a")),
        ("metadata", members(17)),
        ("metadata", json!({ "": "v" })),
        ("metadata", json!({ long(41): "v" })),
        ("unknown", json!(1)),
    ] {
        let mut order = order_of(&world);
        order[field] = value;
        let request = caller.request("POST", GENERATE).header("prefer", "handling=strict");
        answers.push(caller.send(request.header("content-type", "application/json").body(order.to_string())).await);
    }
    answers.push(caller.post_text(GENERATE, "{}").await);
    let form = caller.with_key(None).request("POST", &format!("/capture/{}", world.website_id()));
    answers.push(caller.send(form.header("content-type", "multipart/form-data").body("x")).await);
    let bad_key = caller.request("POST", GENERATE).header("idempotency-key", "a b");
    answers.push(caller.send(bad_key.header("content-type", "application/json").body("{}")).await);
    for query in ["limit=0", "limit=ten", "limit=5&limit=5", "status=gone", "updated_since=yesterday", "page_token=x"] {
        answers.push(caller.get(&format!("/api/v1/articles?{query}")).await);
    }
    let account = running.app().account(&running.accounts()[0].name).await.unwrap();
    let form = LeadForm { consent_text: Some("You may write to me.".to_owned()), ..LeadForm::default() };
    running.app().set_lead_form(&account, world.website_id(), form).await.unwrap();
    for lead in [
        json!({}),
        json!({ "email": "a" }),
        json!({ "email": "a@example.com" }),
        json!({ "email": "a@example.com", "consent": { "given": true } }),
        json!({ "email": "a@example.com", "consent": { "given": true, "text": "You may sell it." } }),
    ] {
        answers.push(caller.with_key(None).post_json(&format!("/capture/{}", world.website_id()), &lead).await);
    }
    let file = "--b\r\ncontent-disposition: form-data; name=\"cv\"; filename=\"cv.txt\"\r\n\r\ntext\r\n";
    let field = "--b\r\ncontent-disposition: form-data; name=\"x\"\r\n\r\ny\r\n";
    for parts in [file.to_owned(), field.repeat(101)] {
        let form = caller.with_key(None).request("POST", &format!("/capture/{}", world.website_id()));
        let form = form.header("content-type", "multipart/form-data; boundary=b").body(format!("{parts}--b--\r\n"));
        answers.push(caller.send(form).await);
    }
    assert!(running.stop().await);

    let mut sent = BTreeMap::<_, BTreeSet<_>>::new();
    for answer in answers {
        for error in answer.json()["errors"].as_array().unwrap_or_else(|| panic!("no errors in {}", answer.text())) {
            let code = error["code"].as_str().unwrap().to_owned();
            sent.entry(code).or_default().insert(masked(error["detail"].as_str().unwrap()));
        }
    }
    let documented = DOCUMENT["x-field-errors"].as_object().unwrap().iter().map(|(code, texts)| {
        (code.clone(), texts.as_array().unwrap().iter().map(|text| masked(text.as_str().unwrap())).collect())
    });
    assert_eq!(sent, documented.collect());
}
