//! The route table: exactly the routes of the document, and rejections for all other requests.

use std::collections::BTreeSet;

use contentgen_server_stub::http::{FORM_ROUTES, ROUTES};

use super::contract;
use super::world::{World, without_worker};

#[test]
fn the_route_table_is_the_documents() {
    let with_key = ROUTES.iter().map(|route| (route.path, route.is_post, route.operation.as_str()));
    let without_key = FORM_ROUTES.iter().map(|route| (route.path, route.is_post, route.id));
    let served = with_key.chain(without_key).map(|(path, is_post, id)| {
        let method = if is_post { "POST" } else { "GET" };
        (path.to_owned(), method.to_owned(), id.to_owned())
    });
    assert_eq!(served.collect::<BTreeSet<_>>(), contract::operations());
}

#[tokio::test]
async fn every_path_of_the_api_answers_its_method_and_refuses_the_others_with_allow() {
    let caller = World::shared().first();
    let of_api = contract::operations().into_iter().filter(|(template, ..)| template.starts_with("/api/"));
    for (template, method, operation) in of_api {
        let path = template.replace("{id}", "art_x").replace("{job_id}", "job_x").replace("{lead_id}", "lead_x");
        let path = path.replace("{scheduled_post_id}", "post_x");
        let answer = caller.send(caller.request(&method, &path)).await;
        assert_ne!(answer.problem().1, "route_not_found", "{operation}");
        assert_ne!(answer.status, 405, "{operation}");
        let allowed = if method == "GET" { "GET, HEAD" } else { "POST" };
        for other in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE"] {
            if allowed.split(", ").any(|method| method == other) {
                continue;
            }
            let answer = caller.send(caller.request(other, &path)).await;
            assert_eq!((answer.status, answer.header("allow")), (405, allowed), "{other} {path}");
        }
    }
}

#[tokio::test]
async fn the_method_is_checked_before_the_key_and_the_key_before_everything_else() {
    let stranger = World::shared().first().with_key(None);
    assert_eq!(stranger.send(stranger.request("DELETE", "/api/v1/generate")).await.status, 405);
    assert_eq!(stranger.send(stranger.request("GET", "/api/v1/nothing")).await.status, 404);
    assert_eq!(stranger.send(stranger.request("POST", "/api/v1/generate")).await.status, 401);
    assert_eq!(stranger.get("/api/v1/articles?limit=0").await.status, 401);
}

#[tokio::test]
async fn other_paths_are_unknown_routes() {
    let caller = World::shared().first();
    let paths = [
        "/api/v1",
        "/api/v1/",
        "/api/v1/generate/",
        "/api/v1/articles/",
        "/api/v1/jobs/",
        "/api/v1/jobs",
        "/api/v1/Articles",
        "/API/v1/articles",
        "/api/v2/articles",
        "/api/v1/jobs//cancel",
        "/api/v1/jobs/x/cancel/",
        "/api/v1/leads/x/y",
        "/api/v1/scheduled_posts/",
        "/api/v1/scheduled_posts/x/y",
        "/api//v1/leads",
    ];
    for path in paths {
        assert_eq!(caller.get(path).await.problem(), (404, "route_not_found".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    // No other test may change a list between the two requests.
    let (running, world) = without_worker().await;
    let caller = world.first();
    for path in ["/api/v1/websites", "/api/v1/articles", "/api/v1/jobs/job_x", "/openapi.yaml", "/healthz"] {
        let get = caller.get(path).await;
        let head = caller.send(caller.request("HEAD", path)).await;
        assert_eq!((head.status, head.bytes.len()), (get.status, 0), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
        if get.status == 200 {
            assert_eq!(head.header("content-length"), get.bytes.len().to_string(), "{path}");
        }
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn ids_are_decoded_and_odd_ones_are_merely_unknown() {
    let caller = World::shared().first();
    let job = super::world::written(&caller, &World::shared().order("Decoding an id")).await;
    let job_id = job["job_id"].as_str().unwrap();
    let encoded = job_id.replace('j', "%6A").replace('_', "%5f");
    assert_eq!(caller.get(&format!("/api/v1/jobs/{encoded}")).await.status, 200);
    for odd in ["%ff%fe", "a%2Fb", "%00", "..%2f", "%F0%9F%98%80", "job_%27%20OR%201=1", &"x".repeat(4000)] {
        assert_eq!(caller.get(&format!("/api/v1/jobs/{odd}")).await.problem().1, "job_not_found", "{odd}");
        assert_eq!(caller.get(&format!("/api/v1/articles/{odd}")).await.problem().1, "article_not_found", "{odd}");
        assert_eq!(caller.get(&format!("/api/v1/leads/{odd}")).await.problem().1, "lead_not_found", "{odd}");
        let post = caller.get(&format!("/api/v1/scheduled_posts/{odd}")).await;
        assert_eq!(post.problem().1, "scheduled_post_not_found", "{odd}");
    }
}

#[tokio::test]
async fn the_service_tells_about_itself() {
    let stranger = World::shared().first().with_key(None);
    assert_eq!(stranger.get("/healthz").await.text(), "ok\n");
    assert_eq!(stranger.get("/readyz").await.text(), "ready\n");
    assert!(
        stranger.get("/problems/queue_full").await.text().contains("urn:problem-type:content-generation:queue_full")
    );
    assert_eq!(stranger.get("/problems/nothing").await.status, 404);
    assert_eq!(stranger.get("/").await.status, 200);
}
