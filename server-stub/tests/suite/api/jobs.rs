//! Jobs: followed, waited for, cancelled.

use std::time::{Duration, Instant};

use super::world::{World, ended, without_worker, written};

#[tokio::test]
async fn a_job_is_followed_to_its_end_and_then_stays_as_it_is() {
    let caller = World::shared().first();
    let job = written(&caller, &World::shared().order("Following a job")).await;
    assert_eq!((&job["status"], &job["progress"]), (&"completed".into(), &100.into()));
    assert!(job["article_id"].is_string() && job["finished_at"].is_string() && job["error"].is_null());
    let path = format!("/api/v1/jobs/{}", job["job_id"].as_str().unwrap());
    let (one, two) = (caller.get(&path).await, caller.get(&path).await);
    assert_eq!((one.text(), one.header("etag"), one.header("retry-after")), (two.text(), two.header("etag"), ""));
    assert_eq!(one.header("cache-control"), "private, no-cache");
}

#[tokio::test]
async fn a_long_poll_lasts_as_long_as_asked_and_ends_with_the_job() {
    let (running, world) = without_worker().await;
    let caller = world.first();
    let job_id = caller.generate(&world.order("Waiting")).await.json()["job_id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/jobs/{job_id}");
    let cancel_path = format!("{path}/cancel");
    let began = Instant::now();
    let answer = caller.send(caller.request("GET", &path).header("prefer", "wait=1")).await;
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert_eq!((answer.json()["status"].as_str(), answer.header("preference-applied")), (Some("queued"), "wait=1"));
    assert!(!answer.header("retry-after").is_empty());
    // The tag still matches after the wait.
    let request =
        caller.request("GET", &path).header("prefer", "wait=1").header("if-none-match", answer.header("etag"));
    assert_eq!(caller.send(request).await.status, 304);
    let cancel = caller.post_text(&cancel_path, "");
    let (job, cancelled) = futures::future::join(ended(&caller, &job_id), cancel).await;
    assert_eq!((job["status"].as_str(), cancelled.status), (Some("cancelled"), 200));
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_server_that_stops_ends_its_long_polls() {
    let (running, world) = without_worker().await;
    let caller = world.first();
    let job_id = caller.generate(&world.order("Stopping")).await.json()["job_id"].as_str().unwrap().to_owned();
    let request = caller.request("GET", &format!("/api/v1/jobs/{job_id}")).header("prefer", "wait=60");
    let stop = async {
        // Asked on another connection until the first one is surely being served.
        for _ in 0..20 {
            caller.get("/healthz").await;
        }
        let began = Instant::now();
        assert!(running.stop().await);
        began.elapsed()
    };
    let (answer, took) = futures::future::join(caller.send(request), stop).await;
    assert_eq!(answer.json()["status"], "queued");
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[tokio::test]
async fn a_queued_job_is_cancelled_once_and_for_all() {
    let (running, world) = without_worker().await;
    let caller = world.first();
    let job_id = caller.generate(&world.order("Cancelled")).await.json()["job_id"].as_str().unwrap().to_owned();
    let cancel = format!("/api/v1/jobs/{job_id}/cancel");
    let first = caller.post_text(&cancel, "").await;
    let second = caller.post_text(&cancel, "{\"ignored\": true}").await;
    assert_eq!((first.status, first.json()["status"].as_str()), (200, Some("cancelled")));
    assert_eq!(second.text(), first.text());
    assert_eq!(
        caller.get(&format!("/api/v1/articles/{job_id}")).await.problem(),
        (404, "generation_cancelled".to_owned())
    );
    let posts = caller.get("/api/v1/scheduled_posts?status=cancelled").await.json();
    assert_eq!(posts["items"][0]["job_id"], job_id.as_str());
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_finished_job_can_no_longer_be_cancelled() {
    let caller = World::shared().first();
    let job = written(&caller, &World::shared().order("Too late")).await;
    let answer = caller.post_text(&format!("/api/v1/jobs/{}/cancel", job["job_id"].as_str().unwrap()), "").await;
    assert_eq!(answer.problem(), (409, "job_not_cancellable".to_owned()));
    assert!(answer.json()["detail"].as_str().unwrap().contains("completed"));
}
