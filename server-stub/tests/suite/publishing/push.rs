//! Articles that are sent to a customer's system.

use std::collections::HashSet;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use contentgen_server_stub::app::PublishTo;
use contentgen_server_stub::domain::hook::HookSecret;
use contentgen_server_stub::domain::publishing_target::MAX_PUSHES_AT_ONCE;
use contentgen_server_stub::domain::store::UpdateState;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::world::World;
use crate::dashboard::browser::Browser;
use crate::hooks::receiver::{Answer, Received, Receiver, status};

fn to(receiver: &Receiver) -> PublishTo {
    PublishTo::Push { url: receiver.url("/articles"), wants_new_secret: false }
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
}

/// Returns true if a receiver with this secret accepts the request as the server's.
fn is_signed(request: &Received, secret: &HookSecret) -> bool {
    let [id, timestamp, signature] =
        ["webhook-id", "webhook-timestamp", "webhook-signature"].map(|name| request.headers[name].as_str());
    let key = BASE64_STANDARD.decode(secret.reveal().strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(&request.body);
    signature == format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

#[tokio::test]
async fn an_article_is_sent_whole_and_signed_and_is_where_the_system_says() {
    let world = World::start().await;
    let body = json!({ "url": "https://blog.example/rye", "id": 7 }).to_string();
    let receiver = Receiver::start(&[("/articles", Answer::Bytes(answer("201 Created", "", &body)))]).await;
    let secret = world.publish_to(to(&receiver)).await.unwrap();
    let article_id = world.write("Rye").await;
    let article = world.published(&article_id).await;
    let received = receiver.at("/articles");
    assert_eq!(received.len(), 1);
    let request = &received[0];
    assert!(is_signed(request, &secret));
    assert!(!is_signed(&Received { body: b"{}".to_vec(), ..request.clone() }, &secret));
    assert_eq!(request.headers["content-type"], "application/json");
    assert_eq!(request.headers["idempotency-key"], request.headers["webhook-id"]);
    assert!(request.headers["webhook-id"].starts_with(&format!("{article_id}_")));
    let sent: Value = serde_json::from_slice(&request.body).unwrap();
    // The article is sent before it counts as published.
    assert_eq!((&sent["status"], &sent["url"]), (&json!("scheduled"), &Value::Null));
    for member in ["id", "title", "slug", "content_markdown", "content_html", "json_ld", "faq", "tags", "metadata"] {
        assert_eq!(sent[member], article[member], "{member}");
    }
    assert_eq!(article["url"], "https://blog.example/rye");
    assert_eq!(article["canonical_url"], "https://blog.example/rye");
    let hosted = format!("/sites/{}/{}", world.website_id, article["slug"].as_str().unwrap());
    assert_eq!(world.get(&hosted).await.0, 404);
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn what_the_system_tells_of_the_address_counts_only_where_readers_can_follow_it() {
    let world = World::start().await;
    let evil = json!({ "url": "javascript:alert(1)" }).to_string();
    let location = "location: /blog/rye\r\n";
    for (headers, body, expected) in [
        (location, evil.as_str(), Some("/blog/rye")),
        ("", evil.as_str(), None),
        ("location: ftp://blog.example/\r\n", "[]", None),
        ("", "no JSON at all", None),
    ] {
        let receiver = Receiver::start(&[("/articles", Answer::Bytes(answer("200 OK", headers, body)))]).await;
        world.publish_to(to(&receiver)).await;
        let article = world.published(&world.write("Rye").await).await;
        let own = format!("https://harbour-bakery.example/{}", article["slug"].as_str().unwrap());
        assert_eq!(article["url"], expected.map_or(own, |path| receiver.url(path)), "{headers} {body}");
    }
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn a_system_that_is_busy_gets_the_same_article_again_under_the_same_id() {
    let world = World::start().await;
    let busy = answer("503 Service Unavailable", "retry-after: 6\r\n", "");
    let receiver = Receiver::start(&[("/articles", Answer::FirstThen(busy, status("200 OK")))]).await;
    world.publish_to(to(&receiver)).await;
    let article_id = world.write("Rye").await;
    world.published(&article_id).await;
    let received = receiver.at("/articles");
    assert_eq!(received.len(), 2);
    assert_eq!(received[0].headers["webhook-id"], received[1].headers["webhook-id"]);
    assert_eq!(received[0].body, received[1].body);
    let [first, second] = [0, 1].map(|at| received[at].headers["webhook-timestamp"].parse::<i64>().unwrap());
    assert!(second - first >= 6, "it asked for six seconds");
    assert_eq!(world.post(&article_id, "published").await["attempts"], 2);
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn a_system_that_does_not_know_the_secret_yet_gets_the_article_again() {
    let world = World::start().await;
    let refusal = answer("401 Unauthorized", "", "");
    let receiver = Receiver::start(&[("/articles", Answer::FirstThen(refusal, status("200 OK")))]).await;
    world.publish_to(to(&receiver)).await;
    let article_id = world.write("Rye").await;
    world.published(&article_id).await;
    assert_eq!(world.post(&article_id, "published").await["attempts"], 2);
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn a_system_that_refuses_an_article_is_not_asked_again_until_somebody_says_so() {
    let world = World::start().await;
    let refusal = answer("422 Unprocessable Content", "", "no");
    let receiver = Receiver::start(&[("/articles", Answer::FirstThen(refusal, status("200 OK")))]).await;
    world.publish_to(to(&receiver)).await;
    let article_id = world.write("Rye").await;
    let post = world.post(&article_id, "failed").await;
    assert_eq!(post["error"]["code"], "publish_rejected");
    assert_eq!(post["error"]["retryable"], false);
    let message = post["error"]["message"].as_str().unwrap();
    assert!(message.contains("422") && !message.contains("127.0.0.1"), "{message}");
    assert_eq!(world.article(&article_id).await["status"], "scheduled");
    world.running.app().retry_post(&world.account.visibility(), post["id"].as_str().unwrap()).await.unwrap();
    world.published(&article_id).await;
    let received = receiver.at("/articles");
    assert_eq!(received[0].headers["webhook-id"], received[1].headers["webhook-id"]);
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn a_system_gets_no_more_articles_at_a_time_than_it_should_and_all_of_them_in_the_end() {
    let world = World::start().await;
    let receiver = Receiver::start(&[("/articles", Answer::ThenHeld(0, status("201 Created")))]).await;
    world.publish_to(to(&receiver)).await;
    let mut articles = Vec::new();
    for number in 0..=MAX_PUSHES_AT_ONCE {
        articles.push(world.write(&format!("Rye {number}")).await);
    }
    receiver.wait_for("/articles", MAX_PUSHES_AT_ONCE).await;
    // They were claimed in order, so the last one is still pending.
    let last = articles.last().unwrap();
    for article in &articles[..MAX_PUSHES_AT_ONCE] {
        world.post(article, "publishing").await;
    }
    world.post(last, "scheduled").await;
    assert_eq!(receiver.at("/articles").len(), MAX_PUSHES_AT_ONCE);
    receiver.release();
    for article in &articles {
        world.published(article).await;
    }
    let sent = receiver.at("/articles");
    let ids: HashSet<_> = sent.iter().map(|request| &request.headers["webhook-id"]).collect();
    assert_eq!(ids.len(), MAX_PUSHES_AT_ONCE + 1);
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn a_system_that_does_not_answer_holds_up_no_other_website() {
    let world = World::start().await;
    let receiver = Receiver::start(&[("/articles", Answer::Silence)]).await;
    world.publish_to(to(&receiver)).await;
    let waiting = world.write("Rye").await;
    receiver.wait_for("/articles", 1).await;
    world.publish_to(PublishTo::Hosted).await;
    let article = world.published(&world.write("Wheat").await).await;
    assert!(article["url"].as_str().unwrap().contains("/sites/"));
    assert_eq!(world.post(&waiting, "publishing").await["attempts"], 1);
}

#[tokio::test]
async fn an_edited_article_is_sent_again_with_another_id_and_keeps_its_address() {
    let world = World::start().await;
    let first = answer("201 Created", "", &json!({ "url": "https://blog.example/rye" }).to_string());
    let later = answer("200 OK", "", &json!({ "url": "https://blog.example/elsewhere" }).to_string());
    let receiver = Receiver::start(&[("/articles", Answer::FirstThen(first, later))]).await;
    let secret = world.publish_to(to(&receiver)).await.unwrap();
    let article_id = world.write("Rye").await;
    let published = world.published(&article_id).await;
    assert_eq!(world.edit(&article_id, "Rye in winter").await, 2);
    assert_eq!(world.updated(&article_id).await, None);
    let received = receiver.at("/articles");
    assert_eq!(received.len(), 2);
    assert!(is_signed(&received[1], &secret));
    assert_ne!(received[0].headers["webhook-id"], received[1].headers["webhook-id"]);
    let sent: Value = serde_json::from_slice(&received[1].body).unwrap();
    let article = world.article(&article_id).await;
    assert_eq!(sent, article);
    assert_eq!(
        (&sent["status"], &sent["version"], &sent["title"]),
        (&json!("published"), &json!(2), &json!("Rye in winter"))
    );
    assert_eq!((&sent["url"], &sent["canonical_url"]), (&published["url"], &published["canonical_url"]));
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn an_edit_that_a_system_refuses_is_kept_and_sent_again_when_its_user_says_so() {
    let world = World::start().await;
    let receiver = Receiver::start(&[("/articles", Answer::FirstThen(status("201 Created"), status("422 No")))]).await;
    world.publish_to(to(&receiver)).await;
    let article_id = world.write("Rye").await;
    world.published(&article_id).await;
    world.edit(&article_id, "Rye in winter").await;
    let refused =
        Some(UpdateState::Failed("The destination refused the article: it responded with status 422.".to_owned()));
    assert_eq!(world.updated(&article_id).await, refused);
    assert_eq!(world.article(&article_id).await["title"], "Rye in winter");
    let browser = Browser::signed_in(&world.running, 0).await;
    let page = browser.get(&format!("/dashboard/articles/{article_id}")).await;
    page.expect("does not have it. The destination refused the article: it responded with status 422.");
    let again = Receiver::start(&[("/articles", Answer::Bytes(status("200 OK")))]).await;
    world.publish_to(to(&again)).await;
    let path = format!("/dashboard/articles/{article_id}/resend");
    browser.submit(&page, &path, &[]).await.expect("The article is sent again");
    assert_eq!(world.updated(&article_id).await, None);
    assert_eq!(again.at("/articles").len(), 1);
    browser.submit(&page, &path, &[]).await.expect("This is not possible now");
    // A website that publishes on the hosted site now cannot change what is elsewhere.
    world.publish_to(PublishTo::Hosted).await;
    world.edit(&article_id, "Rye in spring").await;
    let Some(UpdateState::Failed(reason)) = world.updated(&article_id).await else { panic!("it is sent") };
    assert!(reason.contains("the website publishes on the hosted site now"), "{reason}");
    assert!(world.running.stop().await);
}
