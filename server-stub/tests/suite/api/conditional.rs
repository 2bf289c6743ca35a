//! `If-None-Match` on articles and jobs.

use super::world::{World, written};

#[tokio::test]
async fn a_caller_that_holds_the_representation_gets_304_with_the_same_validators() {
    let caller = World::shared().first();
    let job = written(&caller, &World::shared().order("Holding a copy")).await;
    let job_path = format!("/api/v1/jobs/{}", job["job_id"].as_str().unwrap());
    let draft = format!("/api/v1/articles/{}", job["job_id"].as_str().unwrap());
    for path in [job_path, draft] {
        // Publishing may change the article between two requests, and then the tag changes, too.
        let tag = loop {
            let tag = caller.get(&path).await.header("etag").to_owned();
            if caller.get(&path).await.header("etag") == tag && is_settled(&caller, &path).await {
                break tag;
            }
        };
        assert!(tag.starts_with('"'), "{tag}");
        for held in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let answer = caller.send(caller.request("GET", &path).header("if-none-match", &held)).await;
            assert_eq!((answer.status, answer.bytes.len(), answer.header("etag")), (304, 0, tag.as_str()), "{held}");
            assert_eq!(answer.header("cache-control"), "private, no-cache");
            assert!(!answer.header("ratelimit").is_empty());
        }
        for other in ["\"other\"", "other", "", "W/\"\""] {
            let answer = caller.send(caller.request("GET", &path).header("if-none-match", other)).await;
            assert_eq!(answer.status, 200, "{other}");
        }
        let since = caller.request("GET", &path).header("if-modified-since", "Fri, 31 Dec 2100 23:59:59 GMT");
        assert_eq!(caller.send(since).await.status, 200);
    }
}

async fn is_settled(caller: &super::client::Caller, path: &str) -> bool {
    let status = caller.get(path).await.json()["status"].clone();
    status == "published" || status == "completed"
}
