//! `demo trigger`: causes an event on a demonstration server, by the same requests that readers and callers send.

use contentgen_sdk::types::GenerateRequest;
use reqwest::Url;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::arguments::{Trigger, TriggeredEvent};
use crate::connection::{Connection, KeylessClient, is_here};
use crate::failure::{Exit, Failure};
use crate::output::Screen;
use crate::text::on_one_line;

/// Topic of an article that only has to be published.
const TOPIC: &str = "What a test of hooks is good for";
/// Minimum number of words of an article.
const FEWEST_WORDS: u32 = 200;

/// Causes the event and prints its cause.
pub(super) async fn trigger(options: &Trigger, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let base_url = Url::parse(&connection.base_url).map_err(|_| Failure::usage("invalid base URL"))?;
    if !is_here(&base_url) && connection.failing_topic.is_none() {
        let message = "this is not a demonstration server: `demo trigger` would create made-up leads and articles";
        return Err(Failure::usage(message).advise(
            "use a server on this machine, or name the ready file of a demonstration server with --ready-file",
        ));
    }
    let website_id = connection.website(options.website_id.clone()).await?;
    let (words, made) = match options.event {
        TriggeredEvent::LeadCaptured => lead(&base_url, &website_id).await?,
        TriggeredEvent::ArticlePublished => article(TOPIC, &website_id, connection).await?,
        TriggeredEvent::JobFailed => {
            let topic = connection.failing_topic.as_deref().ok_or_else(|| {
                let failure = Failure::usage("the topic that fails is unknown");
                failure.advise("name the ready file of the demonstration server with --ready-file")
            })?;
            article(topic, &website_id, connection).await?
        }
    };
    screen.result(|| words, &made)?;
    screen.mention("the webhook follows in a moment, if an endpoint subscribes to this event");
    Ok(())
}

/// Sends the lead form with a new address each time. The same address within ten minutes would be the same lead, without an event.
async fn lead(base_url: &Url, website_id: &str) -> Result<(String, Value), Failure> {
    let refused = |what: String| Failure::new(Exit::Failed, format!("the lead form was not accepted: {what}"));
    let mut form = base_url.clone();
    let no_path = |()| Failure::usage("invalid base URL: paths cannot be added to it");
    form.path_segments_mut().map_err(no_path)?.pop_if_empty().extend(["capture", website_id]);
    let email = format!("reader-{:08x}@example.com", Uuid::new_v4().as_fields().0);
    let lead = json!({
        "email": email, "name": "Robin Reader", "message": "Sent by `contentgen demo trigger`.", "consent": { "given": true }
    });
    let status = KeylessClient::new(&form)?.post_json(&form, &lead).await.map_err(refused)?;
    if !status.is_success() {
        return Err(refused(format!("the server answered {}", status.as_u16())));
    }
    let words = format!("lead.captured: sent the form of {} as {email}\n", on_one_line(website_id));
    Ok((words, json!({ "event": "lead.captured", "website_id": website_id, "email": email })))
}

/// Queues an article.
async fn article(topic: &str, website_id: &str, connection: &Connection) -> Result<(String, Value), Failure> {
    let request = GenerateRequest::new().topic(topic).website_id(website_id);
    let request = request.target_word_count(FEWEST_WORDS).auto_publish(true);
    let job_id = connection.client.generate().body(request).send().await?.into_inner().job_id;
    let event = if topic == TOPIC { "article.published" } else { "job.failed" };
    let words = format!("{event}: queued {}\n", on_one_line(&job_id));
    Ok((words, json!({ "event": event, "website_id": website_id, "job_id": job_id })))
}
