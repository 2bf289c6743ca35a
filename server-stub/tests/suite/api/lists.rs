//! Lists: pagination, filters, and page tokens.

use std::collections::BTreeSet;

use serde_json::Value;

use super::client::Caller;
use super::world::{World, without_worker};

/// Follows `Link` from `first` to the end. Returns the ids of the items and the number of pages.
async fn walk(caller: &Caller, first: &str) -> (Vec<String>, usize) {
    let (mut ids, mut pages, mut next) = (Vec::new(), 0, Some(first.to_owned()));
    while let Some(path) = next {
        let answer = caller.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let page = answer.json();
        ids.extend(page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        pages += 1;
        let link = answer.header("link");
        assert_eq!(page["next_page"].is_string(), link.ends_with("; rel=\"next\""), "{link}");
        next = link.split(['<', '>']).nth(1).map(str::to_owned);
    }
    (ids, pages)
}

#[tokio::test]
async fn a_walk_sees_every_row_once_even_while_rows_arrive() {
    let (running, world) = without_worker().await;
    let caller = world.first();
    let mut expected = Vec::new();
    for number in 0..7 {
        let job = caller.generate(&world.order(&format!("Row {number}"))).await.json();
        expected.push(job["scheduled_post_id"].as_str().unwrap().to_owned());
    }
    expected.reverse();
    for limit in [1, 3, 7, 100] {
        let (ids, pages) = walk(&caller, &format!("/api/v1/scheduled_posts?limit={limit}")).await;
        assert_eq!(ids, expected, "limit {limit}");
        assert_eq!(pages, expected.len().div_ceil(limit), "limit {limit}");
    }
    let first = caller.get("/api/v1/scheduled_posts?limit=3").await;
    let later = caller.generate(&world.order("Arrived meanwhile")).await.json();
    let (rest, _) = walk(&caller, first.header("link").split(['<', '>']).nth(1).unwrap()).await;
    assert_eq!(rest, expected[3..]);
    let (all, _) = walk(&caller, "/api/v1/scheduled_posts?limit=3").await;
    assert_eq!(all[0], later["scheduled_post_id"].as_str().unwrap());
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 8);
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_token_carries_its_filters_and_fits_no_other_list_or_filter() {
    let (running, world) = without_worker().await;
    let caller = world.first();
    for number in 0..3 {
        caller.generate(&world.order(&format!("Filtered {number}"))).await;
    }
    let filter = format!("website_id={}&status=queued", world.website_id());
    let page = caller.get(&format!("/api/v1/scheduled_posts?limit=1&{filter}")).await.json();
    let token = page["next_page"].as_str().unwrap().to_owned();
    let refused = [
        format!("/api/v1/articles?page_token={token}"),
        format!("/api/v1/scheduled_posts?page_token={token}&status=failed"),
        format!("/api/v1/scheduled_posts?page_token={token}x"),
        "/api/v1/scheduled_posts?page_token=".to_owned(),
        "/api/v1/scheduled_posts?page_token=AAAA".to_owned(),
    ];
    for path in refused {
        assert_eq!(caller.get(&path).await.problem(), (400, "invalid_page_token".to_owned()), "{path}");
    }
    let unfiltered =
        caller.get("/api/v1/scheduled_posts?limit=1").await.json()["next_page"].as_str().unwrap().to_owned();
    let added = caller.get(&format!("/api/v1/scheduled_posts?page_token={unfiltered}&status=queued")).await;
    assert_eq!(added.problem().1, "invalid_page_token");
    let repeated = caller.get(&format!("/api/v1/scheduled_posts?page_token={token}&limit=50&{filter}")).await.json();
    let carried = caller.get(&format!("/api/v1/scheduled_posts?page_token={token}&limit=50")).await.json();
    assert_eq!(repeated, carried);
    assert_eq!(carried["items"].as_array().unwrap().len(), 2);
    assert!(running.stop().await);
}

#[tokio::test]
async fn unknown_filters_values_give_empty_pages_and_odd_ranges_too() {
    let caller = World::shared().first();
    let paths = [
        "/api/v1/articles?website_id=web_nothing",
        "/api/v1/leads?article_id=art_nothing",
        "/api/v1/leads?captured_since=2026-01-02T00:00:00Z&captured_until=2026-01-01T00:00:00Z",
        "/api/v1/articles?updated_since=2999-01-01T00:00:00.000Z",
        "/api/v1/leads?updated_since=2999-01-01T00:00:00.000Z",
    ];
    for path in paths {
        let page = caller.get(path).await.json();
        assert_eq!((&page["items"], &page["next_page"]), (&serde_json::json!([]), &Value::Null), "{path}");
    }
}

#[tokio::test]
async fn a_scheduled_post_is_read_as_the_list_shows_it_in_every_state() {
    let (running, world) = without_worker().await;
    let caller = world.first();
    let job = caller.generate(&world.order("Read alone")).await.json();
    let path = format!("/api/v1/scheduled_posts/{}", job["scheduled_post_id"].as_str().unwrap());
    for status in ["queued", "cancelled"] {
        let post = caller.get(&path).await;
        assert_eq!((post.status, post.header("cache-control")), (200, "no-store"));
        assert_eq!((&post.json()["status"], &post.json()["job_id"]), (&Value::from(status), &job["job_id"]));
        assert_eq!(post.json(), caller.get("/api/v1/scheduled_posts").await.json()["items"][0]);
        let head = caller.send(caller.request("HEAD", &path)).await;
        assert_eq!((head.status, head.bytes.len()), (200, 0));
        caller.post_text(&format!("/api/v1/jobs/{}/cancel", job["job_id"].as_str().unwrap()), "").await;
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn websites_are_listed_with_all_their_members() {
    let world = World::shared();
    let page = world.first().get("/api/v1/websites").await.json();
    let items = page["items"].as_array().unwrap();
    assert!(items.iter().any(|website| website["website_id"] == world.website_id() && website["status"] == "active"));
    assert!(items.iter().all(|website| website.get("account_id").is_none()));
}
