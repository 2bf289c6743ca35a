//! Quotas of one server: their announcement, their charges, and the response to a caller over quota.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::clock::Clock;
use contentgen_server_stub::server::{Server, Settings};

use super::client::ApiResponse;
use super::world::{World, without_worker};
use crate::moved_clock::MovedClock;

pub(super) fn number(text: &str, name: &str) -> u64 {
    let part = text.split(';').find_map(|part| part.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')));
    part.unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_key_over_its_quota_is_refused_and_accepted_again_when_told() {
    let clock = Arc::new(MovedClock::stopped());
    let settings = Settings { is_worker: false, ..Settings::demo() };
    let running = Server::builder().settings(settings).clock(clock.clone() as Arc<dyn Clock>).start().await.unwrap();
    let world = World::of(&running);
    let caller = world.first().with_key(Some(&world.accounts[0].limited_api_key));
    let mut answers = Vec::new();
    for _ in 0..6 {
        answers.push(caller.get("/api/v1/websites").await);
    }
    for answer in &answers {
        assert_eq!(answer.header("ratelimit-policy"), "\"api\";q=5;w=2");
        assert_eq!(number(answer.header("ratelimit"), "t"), 2);
    }
    let left: Vec<_> = answers.iter().map(|answer| number(answer.header("ratelimit"), "r")).collect();
    assert_eq!(left, [4, 3, 2, 1, 0, 0]);
    let refused = answers.remove(5);
    assert_eq!(refused.problem(), (429, "rate_limited".to_owned()));
    assert_eq!(refused.json()["violated-policies"], serde_json::json!(["api"]));
    // The other quota is unchanged. It is charged before scope, media type and body are checked.
    assert_eq!(caller.post_text("/api/v1/generate", "{").await.header("ratelimit"), "\"generate\";r=1;t=2");
    let pause = Duration::from_secs(refused.header("retry-after").parse().unwrap());
    clock.advance(pause.checked_sub(Duration::from_millis(1)).unwrap());
    assert_eq!(caller.get("/api/v1/websites").await.status, 429);
    clock.advance(Duration::from_millis(1));
    assert_eq!(caller.get("/api/v1/websites").await.status, 200);
    assert!(running.stop().await);
}

#[tokio::test]
async fn refusals_and_successes_are_charged_and_one_keys_use_is_not_anothers() {
    let (running, world) = without_worker().await;
    let caller = world.first();
    let left = |answer: &ApiResponse| number(answer.header("ratelimit"), "r");
    let first = left(&caller.get("/api/v1/websites").await);
    assert_eq!(left(&caller.get("/api/v1/jobs/job_x").await), first - 1);
    assert_eq!(left(&caller.get("/api/v1/articles?limit=x").await), first - 2);
    assert_eq!(left(&world.second().get("/api/v1/websites").await), first);
    assert!(running.stop().await);
}

#[tokio::test]
async fn refusals_before_the_key_is_known_cost_nothing() {
    let caller = World::shared().first().with_key(None);
    assert_eq!(caller.get("/api/v1/websites").await.header("ratelimit"), "");
    assert_eq!(caller.get("/api/v1/nothing").await.header("ratelimit"), "");
}
