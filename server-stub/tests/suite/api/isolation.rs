//! Records of another account, or of a website outside the key's scope, do not exist for the caller.

use contentgen_server_stub::app::{NewKey, WebsiteSettings};
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::key::{ApiScope, KeyQuotas, Secret};
use serde_json::{Value, json};

use super::client::{Caller, WithJson as _};
use super::world::{World, own, written};
use contentgen_server_stub::server::{Running, Settings};

#[tokio::test]
async fn another_accounts_things_do_not_exist() {
    let world = World::shared();
    let (mine, theirs) = (world.first(), world.second());
    let job = written(&mine, &world.order("Not yours")).await;
    let (job_id, article_id) = (job["job_id"].as_str().unwrap(), job["article_id"].as_str().unwrap());
    assert_eq!(theirs.get(&format!("/api/v1/jobs/{job_id}")).await.problem().1, "job_not_found");
    let post = format!("/api/v1/scheduled_posts/{}", job["scheduled_post_id"].as_str().unwrap());
    assert_eq!(mine.get(&post).await.status, 200);
    assert_eq!(theirs.get(&post).await.problem(), (404, "scheduled_post_not_found".to_owned()));
    assert_eq!(theirs.post_text(&format!("/api/v1/jobs/{job_id}/cancel"), "").await.problem().1, "job_not_found");
    for id in [job_id, article_id] {
        assert_eq!(theirs.get(&format!("/api/v1/articles/{id}")).await.problem().1, "article_not_found");
    }
    for list in ["articles", "scheduled_posts", "leads"] {
        let page = theirs.get(&format!("/api/v1/{list}?website_id={}", world.website_id())).await;
        assert_eq!(page.json()["items"], json!([]), "{list}");
    }
    let token = mine.get("/api/v1/articles?limit=1").await.json()["next_page"].clone();
    if let Some(token) = token.as_str() {
        let answer = theirs.get(&format!("/api/v1/articles?page_token={token}")).await;
        assert_eq!(answer.problem(), (400, "invalid_page_token".to_owned()));
    }
}

/// Adds a website to the first account. Returns its id, and the secret of a key that is restricted to it.
async fn restricted(running: &Running, world: &World) -> (String, Secret) {
    let account = running.app().account(&world.accounts[0].name).await.unwrap();
    let second = WebsiteSettings {
        name: "Second".to_owned(),
        url: "https://second.example".to_owned(),
        auto_publish: false,
        ..WebsiteSettings::default()
    };
    let second = running.app().create_website(&account, second, WebsiteStatus::Active).await.unwrap().website_id;
    let wanted = NewKey {
        name: "restricted".to_owned(),
        scopes: ApiScope::ALL.to_vec(),
        website_ids: Some(vec![second.clone()]),
        quotas: KeyQuotas::default(),
        expires_at: None,
    };
    let (_, secret) = running.app().create_key(&account, wanted).await.unwrap();
    (second, secret)
}

#[tokio::test]
async fn a_restricted_key_learns_nothing_of_other_websites_from_idempotency_keys() {
    let (running, world) = own(Settings::demo()).await;
    let (second, secret) = restricted(&running, &world).await;
    let (all, restricted) = (world.first(), world.first().with_key(Some(secret.reveal())));
    let keyed = async |caller: &Caller, body: &Value, prefer: &'static str| {
        let request = caller.request("POST", "/api/v1/generate").header("idempotency-key", "shared");
        let request = if prefer.is_empty() { request } else { request.header("prefer", prefer) };
        caller.send(request.with_json(body)).await
    };
    let mut elsewhere = world.order("Elsewhere");
    elsewhere["unknown"] = json!(true);
    let first = keyed(&all, &elsewhere, "").await;
    assert_eq!(first.status, 202, "{}", first.text());
    // The same body, which is invalid only if unknown fields are refused, and another body.
    let strict = keyed(&restricted, &elsewhere, "handling=strict").await;
    assert_eq!(strict.problem(), (422, "validation_failed".to_owned()));
    elsewhere["target_word_count"] = json!(1);
    assert_eq!(keyed(&restricted, &elsewhere, "").await.problem(), (422, "validation_failed".to_owned()));
    assert_eq!(keyed(&all, &elsewhere, "").await.problem(), (422, "idempotency_mismatch".to_owned()));
    let here = json!({ "topic": "Here", "website_id": second });
    let own = keyed(&restricted, &here, "").await;
    assert_eq!((own.status, own.headers.get("idempotency-replayed")), (202, None), "{}", own.text());
    assert_ne!(own.json()["job_id"], first.json()["job_id"]);
    // A platform key that may use both websites gets the response of either.
    assert_eq!(keyed(&all, &here, "").await.json()["job_id"], own.json()["job_id"]);
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_restricted_key_sees_its_websites_only() {
    let (running, world) = own(Settings::demo()).await;
    let (second, secret) = restricted(&running, &world).await;
    let (all, restricted) = (world.first(), world.first().with_key(Some(secret.reveal())));
    let elsewhere = written(&all, &world.order("Elsewhere")).await;
    let here = written(&restricted, &json!({ "topic": "Here", "website_id": second })).await;
    assert_eq!(here["status"], "completed");
    assert_eq!(restricted.generate(&world.order("Refused")).await.problem().1, "website_not_found");
    assert_eq!(restricted.get(&format!("/api/v1/jobs/{}", elsewhere["job_id"].as_str().unwrap())).await.status, 404);
    for (job, status) in [(&here, 200), (&elsewhere, 404)] {
        let post = format!("/api/v1/scheduled_posts/{}", job["scheduled_post_id"].as_str().unwrap());
        assert_eq!((restricted.get(&post).await.status, all.get(&post).await.status), (status, 200), "{post}");
    }
    let only = |list: &str, member: &str| {
        let (restricted, list, member, second) =
            (restricted.clone(), list.to_owned(), member.to_owned(), second.clone());
        async move {
            let items = restricted.get(&list).await.json()["items"].as_array().unwrap().clone();
            !items.is_empty() && items.iter().all(|item| item[&member] == second.as_str())
        }
    };
    for list in ["/api/v1/websites", "/api/v1/articles", "/api/v1/scheduled_posts"] {
        assert!(only(list, "website_id").await, "{list}");
    }
    assert_eq!(all.get("/api/v1/articles").await.json()["items"].as_array().unwrap().len(), 2);
    assert!(running.stop().await);
}
