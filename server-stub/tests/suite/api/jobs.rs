//! Jobs: polled and cancelled. `long_polls` tests waiting for them.

use super::world::{World, without_worker, written};

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
