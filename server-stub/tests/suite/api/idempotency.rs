//! `Idempotency-Key`: one job for any number of equal requests.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::client::{ApiResponse, Caller, WithJson as _};
use super::world::{World, without_worker};

async fn generate(caller: &Caller, key: &str, body: &Value) -> ApiResponse {
    let request = caller.request("POST", "/api/v1/generate").header("idempotency-key", key).with_json(body);
    caller.send(request).await
}

#[tokio::test]
async fn a_replayed_request_returns_the_first_response() {
    let world = World::shared();
    let caller = world.first();
    let body = world.order("Replayed");
    let first = generate(&caller, "replay-1", &body).await;
    let reordered = format!(
        "{{ \"website_id\": {}, \"target_word_count\": 200,\n \"topic\": \"Repl\\u0061yed\" }}",
        json!(world.website_id())
    );
    let request = caller.request("POST", "/api/v1/generate").header("idempotency-key", "\"replay-1\"");
    let second = caller.send(request.header("content-type", "application/json").body(reordered)).await;
    assert_eq!(
        (second.status, second.text(), second.header("location")),
        (202, first.text(), first.header("location"))
    );
    assert_eq!((first.header("idempotency-replayed"), second.header("idempotency-replayed")), ("", "true"));
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
}

#[tokio::test]
async fn a_replay_shows_no_website_that_the_key_may_not_use() {
    let world = World::shared();
    let body = world.order("Replayed by a restricted key");
    assert_eq!(generate(&world.first(), "restricted", &body).await.status, 202);
    let restricted = world.first().with_key(Some(&world.accounts[0].restricted_api_key));
    assert_eq!(generate(&restricted, "restricted", &body).await.problem(), (422, "website_not_found".to_owned()));
}

#[tokio::test]
async fn another_body_under_the_same_key_is_refused_even_when_it_is_invalid() {
    let world = World::shared();
    let caller = world.first();
    assert_eq!(generate(&caller, "mismatch", &world.order("One")).await.status, 202);
    for other in [world.order("Two"), json!({ "topic": 1, "website_id": world.website_id() })] {
        assert_eq!(generate(&caller, "mismatch", &other).await.problem(), (422, "idempotency_mismatch".to_owned()));
    }
    // Keys are case-sensitive and belong to an account. Only successes are stored.
    assert_eq!(generate(&caller, "MISMATCH", &world.order("Two")).await.status, 202);
    let theirs = json!({ "topic": "Theirs", "website_id": world.accounts[1].website_id });
    assert_eq!(generate(&world.second(), "mismatch", &theirs).await.status, 202);
    assert_eq!(generate(&caller, "corrected", &json!({ "topic": 1 })).await.status, 422);
    assert_eq!(generate(&caller, "corrected", &world.order("Corrected")).await.status, 202);
}

#[tokio::test]
async fn concurrent_repeats_queue_one_job() {
    let (running, world) = without_worker().await;
    let caller = world.first();
    let body = world.order("Concurrent");
    let requests = (0..32).map(|_| generate(&caller, "concurrent", &body));
    let answers = futures::future::join_all(requests).await;
    assert!(answers.iter().all(|answer| answer.status == 202));
    let bodies: BTreeSet<_> = answers.iter().map(ApiResponse::text).collect();
    assert_eq!(bodies.len(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.header("idempotency-replayed").is_empty()).count(), 1);
    assert_eq!(caller.get("/api/v1/scheduled_posts").await.json()["items"].as_array().unwrap().len(), 1);
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_malformed_key_is_refused_after_the_json_and_before_validation() {
    let world = World::shared();
    let caller = world.first();
    for key in ["", "\"\"", "\"open", "a b", "\"a\";p=1", "a,b", &"k".repeat(256)] {
        let answer = generate(&caller, key, &json!({ "topic": 1 })).await;
        assert_eq!(answer.problem(), (400, "invalid_header".to_owned()), "{key}");
        assert_eq!(answer.field_errors(), [("invalid_format".to_owned(), "Idempotency-Key".to_owned())]);
    }
    let twice =
        caller.request("POST", "/api/v1/generate").header("idempotency-key", "a").header("idempotency-key", "a");
    assert_eq!(caller.send(twice.with_json(&world.order("Twice"))).await.problem().1, "invalid_header");
    let request = caller
        .request("POST", "/api/v1/generate")
        .header("idempotency-key", "")
        .header("content-type", "application/json");
    assert_eq!(caller.send(request.body("{")).await.problem().1, "invalid_json");
    assert_eq!(generate(&caller, &"k".repeat(255), &world.order("Longest key")).await.status, 202);
}
