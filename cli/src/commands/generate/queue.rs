//! Queues an article. A repeated command with the same key does not queue it again.

use contentgen_sdk::Response;
use contentgen_sdk::types::{GenerateRequest, QueuedJob};
use serde_json::json;
use uuid::Uuid;

use super::request::request;
use crate::arguments::Generate;
use crate::commands::article::ArticleOutput;
use crate::commands::interrupt::interrupted;
use crate::commands::raw::raw;
use crate::commands::waiting::article_of;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;
use crate::text::on_one_line;

/// Queues an article, reports the job's id, and waits if requested.
pub(in crate::commands) async fn generate(
    mut options: Generate,
    topic: String,
    connection: &Connection,
    screen: Screen,
) -> Result<(), Failure> {
    // Open the output first, so that an unwritable file fails before an article is queued.
    let output = ArticleOutput::begin(options.format, options.output.take())?;
    let website_id = connection.website(options.website_id.clone()).await?;
    let (waits, timeout, own_key) = (options.wait, options.timeout, options.idempotency_key.take());
    let request = request(options, topic, website_id)?;
    let queued = queue(request, own_key, connection, screen).await?;
    let job_id = &queued.job_id;
    if queued.headers().get("idempotency-replayed").is_some_and(|value| value == "true") {
        screen.mention("this idempotency key queued the article before; no second article is written");
    }
    if !waits {
        screen.result(|| format!("{}\n", on_one_line(job_id)), &raw(&queued))?;
        screen.mention(&format!("queued; `contentgen wait {job_id}` waits until the article is written"));
        return Ok(());
    }
    let words = format!("queued as {job_id}; if this command is interrupted, continue with `contentgen wait {job_id}`");
    screen.note(&words, "queued", &json!({ "job_id": job_id }));
    let article = article_of(&connection.client, job_id, timeout, screen).await?;
    output.write(&article, screen)
}

/// Sends the request with a key that is printed before. After a broken connection, the user finds the article by it.
async fn queue(
    request: GenerateRequest,
    own_key: Option<String>,
    connection: &Connection,
    screen: Screen,
) -> Result<Response<QueuedJob>, Failure> {
    let key = own_key.unwrap_or_else(|| {
        let key = Uuid::new_v4().to_string();
        let words = format!("idempotency key: {key}; if you repeat this command with it, no second article is queued");
        screen.note(&words, "sending", &json!({ "idempotency_key": key }));
        key
    });
    let call = connection.client.generate().idempotency_key(&key).body(request);
    tokio::select! {
        biased;
        outcome = call.send() => Ok(outcome?),
        signal = interrupted() => Err(Failure::stopped(signal).while_queueing(&key)),
    }
}
