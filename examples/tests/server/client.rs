//! Tests calls of the SDK against the reference server.

use std::time::Duration;

use contentgen_sdk::ErrorKind;
use contentgen_sdk::types::JobStatus;

use super::{capture, demonstration, full_client, request};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_article_is_written_and_found_by_each_of_its_names() {
    let server = demonstration().await;
    let client = full_client(&server);
    let article = client
        .generate_and_wait(request(&server, "How to store seed potatoes").metadata([("row", "7")]))
        .poll_interval(Duration::from_millis(10))
        .await
        .unwrap();
    let (id, job_id) = (article.id.clone().unwrap(), article.job_id.clone().unwrap());
    assert!(article.content_markdown.as_ref().is_some_and(|text| text.len() > 1000));
    assert_eq!(article.metadata.as_ref().map(|metadata| metadata["row"].as_str()), Some("7"));
    assert!(article.extra.is_empty(), "the document names every member: {:?}", article.extra.keys());
    assert!(article.request_id().is_some() && article.etag().is_some());
    assert_eq!(client.get_article(&id).send().await.unwrap().id.as_ref(), Some(&id));
    assert_eq!(client.get_article(&job_id).send().await.unwrap().id.as_ref(), Some(&id));
    assert_eq!(client.wait_for_article(&job_id).await.unwrap().id.as_ref(), Some(&id));
    let job = client.wait_for_job(&job_id).await.unwrap();
    assert_eq!((job.status.clone(), job.article_id.as_ref()), (JobStatus::Completed, Some(&id)));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unchanged_job_is_not_sent_again() {
    let server = demonstration().await;
    let client = full_client(&server);
    let job = client.generate().body(request(&server, "Winter squash")).send().await.unwrap();
    let job = client.wait_for_job(&job.job_id).poll_interval(Duration::from_millis(10)).await.unwrap();
    let tag = job.etag().unwrap().to_owned();
    let error = client.get_job(&job.job_id).if_none_match(tag).send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotModified);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_idempotency_key_queues_once() {
    let server = demonstration().await;
    let client = full_client(&server);
    let queue = || client.generate().body(request(&server, "Leeks")).idempotency_key("row-1").send();
    let (first, second) = (queue().await.unwrap(), queue().await.unwrap());
    assert_eq!(first.job_id, second.job_id);
    assert_eq!(second.headers()["idempotency-replayed"], "true");
    let other = client.generate().body(request(&server, "Onions")).idempotency_key("row-1").send().await.unwrap_err();
    assert_eq!(other.code(), Some("idempotency_mismatch"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_is_walked_over_its_pages() {
    let server = demonstration().await;
    let client = full_client(&server);
    let mut queued = Vec::new();
    for number in 0..5 {
        let topic = format!("Potato variety number {number}");
        queued.push(client.generate().body(request(&server, &topic)).send().await.unwrap().into_inner().job_id);
    }
    let mut posts = client.list_scheduled_posts().limit(2).items();
    let mut found = Vec::new();
    while let Some(post) = posts.next().await {
        found.extend(post.unwrap().job_id);
    }
    queued.reverse();
    assert_eq!(found, queued);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_captured_lead_is_read() {
    let server = demonstration().await;
    let client = full_client(&server);
    capture(&server, r#"{"email":"ada@example.com","fields":{"plan":"large"},"consent":{"given":true}}"#).await;
    let lead = client.list_leads().items().next().await.unwrap().unwrap();
    assert_eq!(lead.email.as_deref(), Some("ada@example.com"));
    assert_eq!(lead.fields["plan"], "large");
    assert_eq!(client.get_lead(&lead.id).send().await.unwrap().into_inner(), lead);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusals_arrive_with_their_codes() {
    let server = demonstration().await;
    let client = full_client(&server);
    let wrong_key = super::client(&server, |_| "not_a_key");
    let unknown = client.get_article("art_nothing").send().await.unwrap_err();
    assert_eq!((unknown.code(), unknown.status().unwrap().as_u16()), (Some("article_not_found"), 404));
    assert_eq!(client.get_job("a/b?c#d").send().await.unwrap_err().code(), Some("job_not_found"));
    assert_eq!(wrong_key.list_leads().send().await.unwrap_err().code(), Some("invalid_credentials"));
    let elsewhere = client.generate().topic("t").website_id("web_nowhere").send().await.unwrap_err();
    assert_eq!(elsewhere.code(), Some("website_not_found"));
    assert_eq!(elsewhere.problem().unwrap().errors[0].pointer.as_deref(), Some("#/website_id"));
    let token = client.list_leads().page_token("nonsense").send().await.unwrap_err();
    assert_eq!(token.code(), Some("invalid_page_token"));
    let done = client.wait_for_article("job_nothing").await.unwrap_err();
    assert_eq!(done.code(), Some("job_not_found"));
    server.stop().await;
}
