//! Reads articles, leads, jobs and the pipeline from the reference server.

use std::time::Duration;

use contentgen_sdk::operations::ListArticles;
use contentgen_sdk::types::{Article, JobStatus, ScheduledPostStatus};
use contentgen_sdk::{Client, ErrorKind, RequestOptions, Response};
use contentgen_server_stub::server::Running;

use super::{capture, demonstration, full_client, idle, request};

/// Generates an article. It does not change afterwards, because it is not published automatically.
async fn written(server: &Running, client: &Client, topic: &str) -> Response<Article> {
    let order = request(server, topic).auto_publish(false);
    client.generate_and_wait(order).poll_interval(Duration::from_millis(10)).await.expect("the server writes it")
}

/// Returns the ids of all articles in a list, read in pages of one.
async fn ids(list: ListArticles) -> Vec<String> {
    let mut articles = list.limit(1).items();
    let mut ids = Vec::new();
    while let Some(article) = articles.next().await {
        ids.push(article.expect("the list can be read").id);
    }
    ids
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn articles_are_listed_by_website_and_by_change() {
    let server = demonstration().await;
    let client = full_client(&server);
    let mut all = Vec::new();
    let mut changed = Vec::new();
    for topic in ["Quinces", "Medlars", "Damsons"] {
        let article = written(&server, &client, topic).await;
        all.insert(0, article.id.clone().unwrap());
        changed.insert(0, article.updated_at.unwrap());
    }
    let account = &server.accounts()[0];
    assert_eq!(ids(client.list_articles()).await, all);
    assert_eq!(ids(client.list_articles().website_id(&account.website_id)).await, all);
    assert!(ids(client.list_articles().website_id(&account.inactive_website_id)).await.is_empty());
    assert_eq!(ids(client.list_articles().updated_since(changed[2])).await, all);
    assert_eq!(ids(client.list_articles().updated_since(changed[2] + Duration::from_millis(1))).await, all[..2]);
    let latest = client.list_articles().website_id(&account.website_id).updated_since(changed[0]);
    assert_eq!(ids(latest).await, all[..1]);
    assert!(ids(client.list_articles().updated_since(changed[0] + Duration::from_millis(1))).await.is_empty());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_article_that_is_held_already_is_not_sent_again() {
    let server = demonstration().await;
    let client = full_client(&server);
    let article = written(&server, &client, "Winter squash").await;
    let (id, tag) = (article.id.clone().unwrap(), article.etag().unwrap());
    let same = client.get_article(&id).if_none_match(tag).send().await.unwrap_err();
    assert_eq!((same.kind(), same.status().unwrap().as_u16(), same.attempts()), (ErrorKind::NotModified, 304, 1));
    let other = client.get_article(&id).if_none_match("\"another\"").send().await.unwrap();
    assert_eq!(other.body(), article.body());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_article_that_is_larger_than_allowed_is_refused_at_once() {
    let server = demonstration().await;
    let client = full_client(&server);
    let article = written(&server, &client, "Pumpkins").await;
    let (id, length) = (article.id.clone().unwrap(), article.body().len());
    let up_to = |bytes| client.with_options(RequestOptions::default().max_body_bytes(bytes));
    let error = up_to(length - 1).get_article(&id).send().await.unwrap_err();
    assert_eq!((error.kind(), error.operation(), error.attempts()), (ErrorKind::TooLarge, Some("get_article"), 1));
    let fits = up_to(length).get_article(&id).send().await.unwrap();
    assert_eq!(fits.content_markdown, article.content_markdown);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_job_ends_with_its_post_and_without_an_article() {
    let server = idle().await;
    let client = full_client(&server);
    let mut jobs = Vec::new();
    for topic in ["Cardoons", "Celeriac"] {
        jobs.push(client.generate().body(request(&server, topic)).send().await.unwrap().into_inner().job_id);
    }
    let cancel = || client.cancel_job(&jobs[0]).send();
    let (first, second) = (cancel().await.unwrap(), cancel().await.unwrap());
    assert_eq!((first.status.clone(), first.done), (JobStatus::Cancelled, true));
    assert_eq!(second.into_inner(), first.into_inner());
    let error = client.wait_for_article(&jobs[0]).await.unwrap_err();
    assert_eq!((error.kind(), error.job_id()), (ErrorKind::Generation, Some(&*jobs[0])));

    let posts = client.list_scheduled_posts().status(ScheduledPostStatus::Cancelled).send().await.unwrap();
    let [post] = &posts.items[..] else { panic!("{:?}", posts.items) };
    assert_eq!((post.status.clone(), post.job_id.as_ref()), (ScheduledPostStatus::Cancelled, Some(&jobs[0])));
    let posts = client.list_scheduled_posts().status(ScheduledPostStatus::Queued).send().await.unwrap();
    let [post] = &posts.items[..] else { panic!("{:?}", posts.items) };
    assert_eq!((&*post.topic, post.job_id.as_ref()), ("Celeriac", Some(&jobs[1])));
    let elsewhere = &server.accounts()[0].inactive_website_id;
    assert!(client.list_scheduled_posts().website_id(elsewhere).items().next().await.is_none());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_has_ended_is_not_cancelled() {
    let server = demonstration().await;
    let client = full_client(&server);
    let job_id = written(&server, &client, "Rhubarb").await.job_id.clone().unwrap();
    let late = client.cancel_job(&job_id).send().await.unwrap_err();
    assert_eq!((late.code(), late.is_retryable()), (Some("job_not_cancellable"), false));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scheduled_post_is_read_by_its_own_account_only() {
    let server = demonstration().await;
    let client = full_client(&server);
    let queued = client.generate().topic("Rhubarb").website_id(&*server.accounts()[0].website_id).send().await.unwrap();
    client.wait_for_article(&queued.job_id).await.unwrap();
    let post_id = queued.scheduled_post_id.as_deref().unwrap();
    let post = client.get_scheduled_post(post_id).send().await.unwrap();
    assert_eq!((post.job_id.as_deref(), post.topic.as_str()), (Some(&*queued.job_id), "Rhubarb"));
    let other = Client::builder().base_url(server.base_url().unwrap()).api_key(&*server.accounts()[1].api_key);
    let error = other.build().unwrap().get_scheduled_post(&post.id).send().await.unwrap_err();
    assert_eq!((error.code(), error.status().unwrap().as_u16()), (Some("scheduled_post_not_found"), 404));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lead_is_read_by_its_own_account_only() {
    let server = demonstration().await;
    let client = full_client(&server);
    capture(&server, r#"{"email":"ada@example.com","consent":{"given":true}}"#).await;
    let listed = client.list_leads().website_id(&server.accounts()[0].website_id).items().next().await;
    let listed = listed.unwrap().unwrap();
    let lead = client.get_lead(&listed.id).send().await.unwrap();
    assert_eq!((lead.email.as_deref(), lead.consent.given), (Some("ada@example.com"), true));
    assert_eq!(lead.into_inner(), listed);
    let other = Client::builder().base_url(server.base_url().unwrap()).api_key(&*server.accounts()[1].api_key);
    let error = other.build().unwrap().get_lead(&listed.id).send().await.unwrap_err();
    assert_eq!((error.code(), error.status().unwrap().as_u16()), (Some("lead_not_found"), 404));
    server.stop().await;
}
