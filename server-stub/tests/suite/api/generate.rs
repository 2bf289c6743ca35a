//! `generate`: the response to a valid request, and its effects.

use contentgen_server_stub::app::Limits;
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::clock::Clock;
use contentgen_server_stub::domain::store::QueueLimits;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::server::{Server, Settings};
use contentgen_server_stub::storage;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

use super::client::WithJson as _;
use super::world::{World, without_worker};
use crate::dashboard::browser::Browser;
use crate::moved_clock::MovedClock;

#[tokio::test]
async fn the_two_documented_members_are_enough_and_are_echoed_as_sent() {
    let world = World::shared();
    let topic = "  Why rye \u{1F35E} needs\n\ttime \u{a0}";
    let answer = world.first().generate(&json!({ "topic": topic, "website_id": world.website_id() })).await;
    assert_eq!(answer.status, 202);
    let job = answer.json();
    assert_eq!(
        (&job["topic"], &job["website_id"], &job["status"]),
        (&json!(topic), &json!(world.website_id()), &json!("queued"))
    );
    assert_eq!(answer.header("location"), format!("/api/v1/jobs/{}", job["job_id"].as_str().unwrap()));
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1);
    assert_eq!(answer.header("idempotency-replayed"), "");
}

#[tokio::test]
async fn the_pipeline_has_the_entry_when_the_response_arrives() {
    let (running, world) = without_worker().await;
    let caller = world.first();
    let body = json!({
        "topic": "Everything", "website_id": world.website_id(), "language": "en-GB", "keywords": ["rye"], "target_word_count": 5000,
        "auto_publish": false, "publish_at": "2026-11-02T08:00:00.5+02:00", "metadata": { "campaign": "winter" },
    });
    let job = caller.generate(&body).await.json();
    let posts = caller.get("/api/v1/scheduled_posts").await.json()["items"].as_array().unwrap().clone();
    let mine: Vec<_> = posts.iter().filter(|post| post["job_id"] == job["job_id"]).collect();
    assert_eq!(mine.len(), 1);
    assert_eq!(mine[0]["id"], job["scheduled_post_id"]);
    assert_eq!(mine[0]["publish_at"], "2026-11-02T06:00:00.500Z");
    assert_eq!((&mine[0]["auto_publish"], &mine[0]["status"]), (&json!(false), &json!("queued")));
    assert_eq!(job["metadata"], json!({ "campaign": "winter" }));
    assert!(running.stop().await);
}

#[tokio::test]
async fn unknown_members_are_ignored_unless_strictness_is_asked_for() {
    let world = World::shared();
    let caller = world.first();
    let mut nested = json!(1);
    for _ in 0..32 {
        nested = json!({ "deeper": [nested] });
    }
    let mut body = world.order("Unknown members");
    body["webhook_url"] = json!("https://example.com");
    body["a/b~c"] = nested;
    assert_eq!(caller.generate(&body).await.status, 202);
    let strict = caller.request("POST", "/api/v1/generate").header("prefer", "handling=strict").with_json(&body);
    let answer = caller.send(strict).await;
    assert_eq!(answer.problem(), (422, "validation_failed".to_owned()));
    let unknown = |pointer: &str| ("unknown_field".to_owned(), pointer.to_owned());
    assert_eq!(answer.field_errors(), [unknown("#/a~1b~0c"), unknown("#/webhook_url")]);
    let strict = caller
        .request("POST", "/api/v1/generate")
        .header("prefer", "handling=strict")
        .with_json(&world.order("Strict"));
    let answer = caller.send(strict).await;
    assert_eq!((answer.status, answer.header("preference-applied")), (202, "handling=strict"));
}

#[tokio::test]
async fn a_paused_website_takes_nothing_new_and_is_unknown_to_others() {
    let (running, world) = without_worker().await;
    let account = running.app().account(&world.accounts[0].name).await.unwrap();
    let mut website = running.app().websites(&account).await.unwrap().remove(0);
    website.website_id = "web_paused".to_owned();
    website.status = WebsiteStatus::Paused;
    // The dashboard pauses websites. The test uses a second connection to the same database instead.
    storage::open(&world.database, &storage::Options::new(Arc::new(SystemRandomness)))
        .unwrap()
        .create_website(&website)
        .await
        .unwrap();
    let order = json!({ "topic": "Paused", "website_id": "web_paused" });
    assert_eq!(world.first().generate(&order).await.problem(), (403, "website_inactive".to_owned()));
    assert_eq!(world.second().generate(&order).await.problem(), (422, "website_not_found".to_owned()));
    let lead = json!({ "email": "a@example.com" });
    let captured = world.first().with_key(None).post_json("/capture/web_paused", &lead).await;
    assert_eq!(captured.problem(), (403, "website_inactive".to_owned()));
    assert!(running.stop().await);
}

#[tokio::test]
async fn an_account_that_used_up_its_day_is_told_when_the_next_one_begins() {
    let limits = Limits { queue: QueueLimits { per_website: 9, per_account: 9, per_day: Some(2) } };
    let settings = Settings { is_worker: false, limits, ..Settings::demo() };
    let clock = Arc::new(MovedClock::stopped());
    let running =
        Server::builder().settings(settings).clock(Arc::clone(&clock) as Arc<dyn Clock>).start().await.unwrap();
    let world = World::of(&running);
    let caller = world.first();
    for _ in 0..2 {
        assert_eq!(caller.generate(&world.order("Fits")).await.status, 202);
    }
    let answer = caller.generate(&world.order("Does not fit")).await;
    assert_eq!(answer.problem(), (429, "rate_limited".to_owned()));
    assert_eq!(answer.json()["violated-policies"], json!(["articles"]));
    assert_eq!(answer.header("retry-after"), "43200", "it is noon");
    let browser = Browser::signed_in(&running, 0).await;
    let form = browser.get("/dashboard/pipeline/new").await;
    form.expect("2 of 2 articles");
    let typed = [("website_id", world.website_id()), ("topic", "Another"), ("when", "now")];
    browser.submit(&form, "/dashboard/pipeline/new", &typed).await.expect("wait for the next day (UTC)");
    clock.advance(Duration::from_hours(12));
    assert_eq!(caller.generate(&world.order("Fits")).await.status, 202);
    browser.get("/dashboard/pipeline/new").await.expect("1 of 2 articles");
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_full_queue_is_told_apart_from_a_quota() {
    let limits = Limits { queue: QueueLimits { per_website: 2, per_account: 10, per_day: None } };
    let (running, world) = super::world::own(Settings { is_worker: false, limits, ..Settings::demo() }).await;
    let caller = world.first();
    for _ in 0..2 {
        assert_eq!(caller.generate(&world.order("Fits")).await.status, 202);
    }
    let answer = caller.generate(&world.order("Does not fit")).await;
    assert_eq!(answer.problem(), (429, "queue_full".to_owned()));
    assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1);
    assert!(answer.json().get("violated-policies").is_none());
    assert!(running.stop().await);
}
