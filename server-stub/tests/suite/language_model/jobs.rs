//! Jobs of a server with a language model: they end correctly, and their usage is stored, shown and counted.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};

use contentgen_server_stub::domain::language_model::ModelPrices;
use contentgen_server_stub::domain::voice::PointOfView;
use contentgen_server_stub::generation::ArticleBrief;
use contentgen_server_stub::generation::model::{ModelSettings, Provider};
use contentgen_server_stub::server::{Running, Server, Settings};
use serde_json::{Value, json};

use super::stub::{KEY, Stub, brief, chat, draft, error, writer};
use crate::dashboard::browser::Browser;
use crate::dashboard::steps::caller;
use crate::operation::metrics::anywhere;
use crate::operation::raw_connection::get;
use crate::waiting::{GIVE_UP_AFTER, until, until_ok};

/// Returns the brief of the demonstration's first account, in its voice.
fn demonstrated() -> ArticleBrief {
    let mut brief = brief();
    brief.voice.point_of_view = PointOfView::SecondPerson;
    brief
}

/// Starts a demonstration whose articles the stub's model writes.
async fn serve(stub: &Stub, prices: Option<ModelPrices>) -> Running {
    let settings = ModelSettings { prices, ..stub.settings(Provider::OpenAi) };
    let served = Settings { metrics_listen: Some(anywhere()), ..Settings::demo() };
    Server::builder().settings(served).generator(Arc::new(writer(settings))).start().await.unwrap()
}

/// Queues an article on the topic of the stub's draft. Returns the ended job.
async fn ended_job(running: &Running) -> Value {
    let caller = caller(running, 0);
    let order =
        json!({ "topic": brief().topic, "website_id": running.accounts()[0].website_id, "target_word_count": 300 });
    let queued = caller.post_json("/api/v1/generate", &order).await.json();
    let path = format!("/api/v1/jobs/{}", queued["job_id"].as_str().unwrap());
    until_ok("the job has ended", async || {
        let job = caller.get(&path).await.json();
        if job["done"] == true { Ok(job) } else { Err(job) }
    })
    .await
}

/// Returns the job's page in the pipeline of the dashboard.
async fn entry(browser: &Browser, job: &Value) -> String {
    let page = browser.get(&format!("/dashboard/pipeline/{}", job["scheduled_post_id"].as_str().unwrap())).await;
    assert_eq!(page.status, 200, "{}", page.text);
    page.text
}

async fn metrics(running: &Running) -> String {
    get(running.metrics_url().unwrap(), "/metrics").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_article_of_a_model_is_published_and_what_it_cost_is_shown_and_counted() {
    let text = serde_json::to_string(&draft(&demonstrated()).await).unwrap();
    // The first attempt at the job finds only a busy endpoint. Its requests count, too.
    let stub = Stub::start(move |number, _| if number < 3 { error(429, "busy", "wait") } else { chat(&text) }).await;
    let running = serve(&stub, Some(ModelPrices { input: 2_500_000, output: 10_000_000 })).await;
    assert_eq!(running.writer(), Some("llm:openai/test-model"));
    let job = ended_job(&running).await;
    assert_eq!((&job["status"], &job["attempts"]), (&json!("completed"), &json!(2)), "{job}");
    let article =
        caller(&running, 0).get(&format!("/api/v1/articles/{}", job["article_id"].as_str().unwrap())).await.json();
    assert_eq!(article["generator"], "llm:openai/test-model", "{article}");
    let page = entry(&Browser::signed_in(&running, 0).await, &job).await;
    for shown in ["llm:openai/test-model", "4, 3 of them failed", "1000 read, 500 written", "0.0075 US dollars"] {
        assert!(page.contains(shown), "{shown} in {page}");
    }
    let metrics = metrics(&running).await;
    for line in [
        "contentgen_model_requests_total{outcome=\"answered\"} 1",
        "contentgen_model_requests_total{outcome=\"failed\"} 3",
        "contentgen_model_tokens_total{direction=\"input\"} 1000",
        "contentgen_model_tokens_total{direction=\"output\"} 500",
        "contentgen_model_cost_dollars_total 0.0075",
    ] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_key_ends_the_job_at_once_and_is_never_told() {
    let stub = Stub::start(|_, _| error(401, "invalid_api_key", &format!("Incorrect API key provided: {KEY}"))).await;
    let running = serve(&stub, None).await;
    let job = ended_job(&running).await;
    assert_eq!((&job["status"], &job["attempts"]), (&json!("failed"), &json!(1)), "{job}");
    assert_eq!(
        (&job["error"]["code"], &job["error"]["retryable"]),
        (&json!("generator_unavailable"), &json!(true)),
        "{job}"
    );
    let message = job["error"]["message"].as_str().unwrap();
    assert!(message.contains("refused the server's key") && message.contains("operator"), "{message}");
    let page = entry(&Browser::signed_in(&running, 0).await, &job).await;
    assert!(page.contains("not known: the server has no prices") && !page.contains("planted"), "{page}");
    assert!(!job.to_string().contains("planted"), "{job}");
    assert_eq!(stub.bodies().await.len(), 1, "a rejected key is not sent again");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_time_out_ends_the_job_and_is_paid_for_once() {
    let stub = Stub::start(|_, _| chat("{}").set_delay(std::time::Duration::from_mins(1))).await;
    let settings = ModelSettings { timeout: std::time::Duration::from_millis(300), ..stub.settings(Provider::OpenAi) };
    let server = Server::builder().settings(Settings::demo()).generator(Arc::new(writer(settings)));
    let running = server.start().await.unwrap();
    let job = ended_job(&running).await;
    assert_eq!((&job["status"], &job["attempts"]), (&json!("failed"), &json!(1)), "{job}");
    assert_eq!(job["error"]["code"], "generation_timeout", "{job}");
    assert_eq!(stub.bodies().await.len(), 1);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_topic_ends_the_job_with_its_code() {
    let stub = Stub::start(|_, _| chat("I cannot write about this.")).await;
    let running = serve(&stub, None).await;
    let job = ended_job(&running).await;
    assert_eq!(
        (&job["error"]["code"], &job["error"]["retryable"]),
        (&json!("content_rejected"), &json!(false)),
        "{job}"
    );
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_job_has_what_it_used_all_the_same() {
    // The job is cancelled while the model works on its second response.
    let (cancelled, is_cancelled) = channel::<()>();
    let (is_cancelled, requests) = (Mutex::new(is_cancelled), Arc::<AtomicUsize>::default());
    let count = Arc::clone(&requests);
    let stub = Stub::start(move |number, _| {
        count.fetch_add(1, Ordering::SeqCst);
        if number == 1 {
            let told = is_cancelled.lock().unwrap().recv_timeout(GIVE_UP_AFTER);
            assert_eq!(told, Err(RecvTimeoutError::Disconnected), "the job is not cancelled");
        }
        chat("no article")
    })
    .await;
    let running = serve(&stub, None).await;
    let caller = caller(&running, 0);
    let order = json!({ "topic": brief().topic, "website_id": running.accounts()[0].website_id });
    let queued = caller.post_json("/api/v1/generate", &order).await.json();
    until("the model is asked for its second response", async || requests.load(Ordering::SeqCst) == 2).await;
    let job_id = queued["job_id"].as_str().unwrap();
    let job = caller.post_json(&format!("/api/v1/jobs/{job_id}/cancel"), &json!({})).await.json();
    assert_eq!(job["status"], "cancelled", "{job}");
    drop(cancelled);
    let browser = Browser::signed_in(&running, 0).await;
    until_ok("the model's usage is shown", async || {
        let shown = entry(&browser, &job).await;
        if shown.contains("2000 read, 1000 written") { Ok(()) } else { Err(shown) }
    })
    .await;
    running.stop().await;
}
