//! A server with custom parts of its embedder.

use std::sync::Arc;

use contentgen_server_stub::server::{Running, Server, Settings};
use serde_json::{Value, json};

use crate::plain_http;
use crate::writer::edited::EditedWriter;

/// A sentence that the offline writer would never write. It addresses the reader, because a longer text has to do so more often.
const SENTENCE: &str = "Seven herons slept on your slate roof and kept quiet.";

async fn call(running: &Running, path: &str, body: Option<Value>) -> Value {
    let http = plain_http::following_client();
    let url = format!("{}{path}", running.base_url().unwrap());
    let request = match body {
        Some(body) => http.post(url).header("content-type", "application/json").body(body.to_string()),
        None => http.get(url).header("prefer", "wait=60"),
    };
    let response = request.bearer_auth(&running.accounts()[0].api_key).send().await.unwrap();
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_server_writes_what_the_writer_it_was_built_with_writes() {
    let heron_writer = EditedWriter { order: |_| {}, draft: |_, draft| EditedWriter::adding(SENTENCE, draft) };
    let running = Server::builder().settings(Settings::demo()).generator(Arc::new(heron_writer)).start().await.unwrap();
    let website_id = &running.accounts()[0].website_id;
    let body = json!({ "topic": "Sourdough at home", "website_id": website_id, "target_word_count": 200 });
    let queued = call(&running, "/api/v1/generate", Some(body)).await;
    let job_path = format!("/api/v1/jobs/{}", queued["job_id"].as_str().unwrap());
    let job = loop {
        let job = call(&running, &job_path, None).await;
        if job["done"] == true {
            break job;
        }
    };
    assert_eq!(job["status"], "completed", "{job}");
    let article = call(&running, &format!("/api/v1/articles/{}", queued["job_id"].as_str().unwrap()), None).await;
    assert!(article["content_html"].as_str().unwrap().contains(SENTENCE), "{article}");
    running.stop().await;
}
