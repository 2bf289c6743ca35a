//! `generate`: queues an article, and waits for it when asked to.

use contentgen_sdk::types::{GenerateRequest, builder};
use serde_json::json;

use super::article_text::markdown;
use super::raw::raw;
use super::waiting::article_of;
use crate::arguments::Generate;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;
use crate::text::visible;

/// Queues, says under which id, and waits when asked to.
pub(super) async fn generate(options: Generate, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let website_id = connection.website(options.website_id.clone()).await?;
    let (waits, timeout) = (options.wait, options.timeout);
    let mut call = connection.client.generate();
    if let Some(key) = &options.idempotency_key {
        call = call.idempotency_key(key);
    }
    let queued = call.body(request(options, website_id)).send().await?;
    let job_id = &queued.job_id;
    if queued.headers().get("idempotency-replayed").is_some_and(|value| value == "true") {
        screen.mention("this idempotency key had queued it before; no other article is written");
    }
    if !waits {
        screen.result(|| format!("{}\n", crate::text::on_one_line(job_id)), &raw(&queued))?;
        screen.mention(&format!("queued; `contentgen wait {job_id}` waits until the article is written"));
        return Ok(());
    }
    let words = format!("queued as {job_id}; if this is interrupted, `contentgen wait {job_id}` goes on waiting");
    screen.note(&words, "queued", &json!({ "job_id": job_id }));
    let article = article_of(&connection.client, job_id, timeout, screen).await?;
    screen.result(|| visible(&markdown(&article)), &raw(&article))
}

/// What was asked for; what was not is the server's to decide.
fn request(options: Generate, website_id: String) -> builder::GenerateRequest {
    let mut request = GenerateRequest::builder().topic(options.topic).website_id(website_id);
    if !options.keywords.is_empty() {
        request = request.keywords(options.keywords);
    }
    if let Some(words) = options.words {
        request = request.target_word_count(words);
    }
    if let Some(language) = options.language {
        request = request.language(language);
    }
    if !options.metadata.is_empty() {
        let labels: std::collections::BTreeMap<String, String> = options.metadata.into_iter().collect();
        request = request.metadata(labels);
    }
    if let Some(time) = options.publish_at {
        request = request.publish_at(time);
    }
    if let Some(publishes) = options.auto_publish {
        request = request.auto_publish(publishes);
    }
    request
}
