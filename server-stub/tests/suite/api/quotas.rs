//! Quotas of one server: what is announced, what is charged, what a caller over quota is told.

use std::time::{Duration, Instant};

use super::client::{ApiResponse, Caller};
use super::contract;
use super::world::{World, without_worker};

/// The window of the limited key's quotas.
const WINDOW: Duration = Duration::from_secs(2);
/// Windows that may pass until the requests fit into one.
const WINDOWS: usize = 30;
/// Requests after which a quota that refuses nothing is given up.
const ENDLESS: usize = 12;

pub(super) fn number(text: &str, name: &str) -> u64 {
    let part = text.split(';').find_map(|part| part.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')));
    part.unwrap().parse().unwrap()
}

/// The answers up to the first refusal, all from one window: on a machine that is too slow for that it begins anew in the next.
/// They are checked once all have come, so that checking takes no time of the window.
pub(super) async fn answers_in_one_window(caller: &Caller, path: &str) -> Vec<ApiResponse> {
    for _ in 0..WINDOWS {
        // The window begins with the first request, so not before now.
        let began = Instant::now();
        let mut answers: Vec<ApiResponse> = Vec::new();
        while answers.len() < ENDLESS && answers.last().is_none_or(|answer| answer.status != 429) {
            answers.push(caller.exchange(caller.request("GET", path).build().unwrap()).await);
        }
        let took = began.elapsed();
        for answer in &answers {
            contract::check("GET", path, answer.status, &answer.headers, &answer.bytes);
        }
        if took < WINDOW {
            return answers;
        }
        // Whichever window the last request was in has ended then.
        tokio::time::sleep(WINDOW).await;
    }
    panic!("in {WINDOWS} windows the requests never fitted into one")
}

#[tokio::test]
async fn a_key_over_its_quota_is_refused_and_accepted_again_when_told() {
    let (running, world) = without_worker().await;
    let caller = world.first().with_key(Some(&world.accounts[0].limited_api_key));
    let mut answers = answers_in_one_window(&caller, "/api/v1/websites").await;
    for answer in &answers {
        assert_eq!(answer.header("ratelimit-policy"), "\"api\";q=5;w=2");
        assert!((1..=2).contains(&number(answer.header("ratelimit"), "t")));
    }
    let left: Vec<_> = answers.iter().map(|answer| number(answer.header("ratelimit"), "r")).collect();
    assert_eq!(left, [4, 3, 2, 1, 0, 0]);
    let refused = answers.remove(5);
    assert_eq!(refused.problem().1, "rate_limited");
    assert_eq!(refused.json()["violated-policies"], serde_json::json!(["api"]));
    // The other quota is not touched, and is charged before scope, media type and body are looked at.
    assert_eq!(caller.post_text("/api/v1/generate", "{").await.header("ratelimit"), "\"generate\";r=1;t=2");
    let pause: u64 = refused.header("retry-after").parse().unwrap();
    tokio::time::sleep(Duration::from_secs(pause)).await;
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
