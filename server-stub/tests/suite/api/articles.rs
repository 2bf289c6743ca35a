//! Articles by both of their ids.

use super::world::{World, without_worker, written};
use crate::waiting::until_ok;

#[tokio::test]
async fn an_article_is_read_by_its_own_id_and_by_its_jobs() {
    let world = World::shared();
    let caller = world.first();
    let mut order = world.order("Reading an article");
    order["metadata"] = serde_json::json!({ "a": "b" });
    let job = written(&caller, &order).await;
    let (article_id, job_id) = (job["article_id"].as_str().unwrap(), job["job_id"].as_str().unwrap());
    let by_article = caller.get(&format!("/api/v1/articles/{article_id}")).await;
    let by_job = caller.get(&format!("/api/v1/articles/{job_id}")).await;
    assert_eq!((by_article.status, by_job.status), (200, 200));
    assert_eq!(by_job.header("content-location"), format!("/api/v1/articles/{article_id}"));
    let article = by_job.json();
    assert_eq!((&article["id"], &article["job_id"]), (&job["article_id"], &job["job_id"]));
    assert_eq!((&article["topic"], &article["metadata"]), (&order["topic"], &order["metadata"]));
    assert_eq!(article["voice"]["passed"], true, "{}", article["voice"]);
    assert!(by_article.header("last-modified").ends_with("GMT"));
}

#[tokio::test]
async fn a_published_article_is_published_everywhere() {
    let world = World::shared();
    let caller = world.first();
    let job = written(&caller, &world.order("Publishing an article")).await;
    let path = format!("/api/v1/articles/{}", job["article_id"].as_str().unwrap());
    let article = until_ok("the article is published", async || {
        let article = caller.get(&path).await.json();
        if article["status"] == "published" { Ok(article) } else { Err(article) }
    })
    .await;
    assert!(article["url"].is_string() && article["published_at"].is_string());
    let page = caller.with_key(None).get(article["url"].as_str().unwrap().strip_prefix(&world.base_url).unwrap()).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains(article["title"].as_str().unwrap()));
}

#[tokio::test]
async fn an_article_that_is_not_written_yet_says_so() {
    let (running, world) = without_worker().await;
    let caller = world.first();
    let job_id = caller.generate(&world.order("Not ready")).await.json()["job_id"].as_str().unwrap().to_owned();
    let answer = caller.get(&format!("/api/v1/articles/{job_id}")).await;
    assert_eq!(answer.problem(), (404, "article_not_ready".to_owned()));
    assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1);
    assert!(running.stop().await);
}
