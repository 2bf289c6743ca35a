//! Steps that many checks share: queue, read, wait, cancel, fetch, capture.
//!
//! Walking lists is in `lists`; what is demanded of answers in `check::demand`.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::{lead_form, operations};
use crate::check::{Capability, Capture, Context, Credential, Exchange, Halt, Request, demand, ensure};
use crate::spec::Profile;

/// Longest id in bytes that is taken from the target: a longer one fits into no URL that servers read, and would be kept for each job.
const MAX_ID: usize = 8 * 1024;

/// How long one long poll asks the target to wait, in seconds.
const LONG_POLL: u64 = 5;

/// A small request for the website under test that publishes nothing; in core only what the service description
/// shows.
pub(crate) fn quiet_request(context: &Context, topic: &str) -> Value {
    let website_id = &context.facts().website_id;
    match context.document().profile() {
        Profile::Core => json!({ "topic": topic, "website_id": website_id }),
        Profile::Full => json!({
            "topic": topic,
            "website_id": website_id,
            "auto_publish": false,
            "target_word_count": words(context, "minimum"),
        }),
    }
}

/// A bound of the number of words that can be asked for.
pub(crate) fn words(context: &Context, bound: &str) -> Value {
    operations::member(context.document(), "target_word_count")[bound].clone()
}

/// A small request that is published as soon as it is written.
pub(crate) fn published_request(context: &Context, topic: &str) -> Value {
    let mut body = quiet_request(context, topic);
    if context.document().profile() == Profile::Full {
        body["auto_publish"] = json!(true);
    }
    body
}

/// `POST /generate` with that body.
pub(crate) fn generate(body: &Value) -> Request {
    Request::new("generate", "POST", "/generate").json(body)
}

/// `GET /jobs/{job_id}`.
pub(crate) fn get_job(job_id: &str) -> Request {
    Request::new("get_job", "GET", &format!("/jobs/{}", segment(job_id)))
}

/// `GET /articles/{id}`.
pub(crate) fn get_article(id: &str) -> Request {
    Request::new("get_article", "GET", &format!("/articles/{}", segment(id)))
}

/// `GET /leads/{lead_id}`.
pub(crate) fn get_lead(lead_id: &str) -> Request {
    Request::new("get_lead", "GET", &format!("/leads/{}", segment(lead_id)))
}

/// `GET /scheduled_posts/{scheduled_post_id}`.
pub(crate) fn get_scheduled_post(post_id: &str) -> Request {
    Request::new("get_scheduled_post", "GET", &format!("/scheduled_posts/{}", segment(post_id)))
}

/// `POST /jobs/{job_id}/cancel`.
pub(crate) fn cancel_job(job_id: &str) -> Request {
    Request::new("cancel_job", "POST", &format!("/jobs/{}/cancel", segment(job_id)))
}

/// An id as one segment of a path, or as one value of a query: whatever a target puts into its ids, they are opaque.
pub(crate) fn segment(id: &str) -> String {
    encoded(id, |byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
}

/// Every byte of an id in its percent-encoding.
pub(crate) fn percent_encoded(id: &str) -> String {
    encoded(id, |_| false)
}

fn encoded(id: &str, stays: impl Fn(u8) -> bool) -> String {
    id.bytes().fold(String::new(), |mut text, byte| {
        if stays(byte) {
            text.push(char::from(byte));
        } else {
            write!(text, "%{byte:02X}").expect("a String takes every write");
        }
        text
    })
}

/// Queues an article and returns the job's id.
pub(crate) async fn queue(context: &Context, body: &Value) -> Result<String, Halt> {
    let exchange = context.send(generate(body)).await?;
    demand::success(&exchange)?;
    let job_id = demand::text(demand::json(&exchange)?, "job_id")?;
    ensure(job_id.len() <= MAX_ID, format!("a job_id of at most {MAX_ID} bytes, to be asked for"), || {
        format!("{} bytes", job_id.len())
    })?;
    context.remember_id(job_id);
    Ok(job_id.to_owned())
}

/// Cancels a job that no check needs any more; losing the race is fine.
pub(crate) async fn discard(context: &Context, queued: &Exchange) -> Result<(), Halt> {
    if let Some(job_id) = queued.json().and_then(|body| body["job_id"].as_str()) {
        context.send(cancel_job(job_id)).await?;
    }
    Ok(())
}

/// The same where the target can cancel at all.
pub(crate) async fn discard_where_possible(context: &Context, queued: &Exchange) -> Result<(), Halt> {
    if context.facts().capabilities.contains(&Capability::JOBS) {
        return discard(context, queued).await;
    }
    Ok(())
}

/// Cancels what a failed case left in the queue, so that making it smaller does not drown the target in articles.
pub(crate) async fn clean_up(context: &Context) {
    if !context.facts().capabilities.contains(&Capability::JOBS) {
        return;
    }
    let queued = context.trace();
    let queued =
        queued.iter().filter(|exchange| exchange.request.operation == Some("generate") && exchange.succeeded());
    for exchange in queued {
        // What this meets is no part of the case any more.
        let _ = discard(context, exchange).await;
    }
}

/// Waits until the job is done and returns its last answer.
pub(crate) async fn finished(context: &Context, job_id: &str) -> Result<Arc<Exchange>, Halt> {
    finished_within(context, job_id, context.patience()).await
}

/// Waits that long until the job is done and returns its last answer.
pub(crate) async fn finished_within(
    context: &Context,
    job_id: &str,
    patience: Duration,
) -> Result<Arc<Exchange>, Halt> {
    context.waiting(Box::pin(polled(context, job_id, patience))).await
}

async fn polled(context: &Context, job_id: &str, patience: Duration) -> Result<Arc<Exchange>, Halt> {
    let (first, late_before) = (Instant::now(), context.lateness().total());
    loop {
        let begun = Instant::now();
        let mut poll = get_job(job_id).header("prefer", format!("wait={LONG_POLL}"));
        poll.patience = Duration::from_secs(LONG_POLL);
        let exchange = context.send(poll).await?;
        demand::status(&exchange, 200)?;
        let job = demand::json(&exchange)?;
        let status = demand::text(job, "status")?;
        if job["done"] == true || is_terminal(status) {
            context.remember_job(first.elapsed());
            return Ok(exchange);
        }
        let late = context.lateness().total().saturating_sub(late_before);
        if first.elapsed() >= patience + late {
            context.remember_late_job();
            return Err(Halt::inconclusive(format!(
                "a job was still `{status}` after {:.1} s",
                (patience + late).as_secs_f64()
            )));
        }
        if begun.elapsed() < Duration::from_millis(50) {
            // The target does not hold long polls: do not hammer it.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Whether a job in that state never changes again.
pub(crate) fn is_terminal(status: &str) -> bool {
    matches!(status, "completed" | "failed" | "cancelled")
}

/// Queues `body`, waits, and returns the completed job and its article.
pub(crate) async fn written(context: &Context, body: &Value) -> Result<(Value, Arc<Exchange>), Halt> {
    let begun = Instant::now();
    let job_id = queue(context, body).await?;
    let job = finished(context, &job_id).await?;
    let job = demand::json(&job)?.clone();
    if job["status"] != "completed" {
        return Err(Halt::inconclusive(format!("the job ended as {}: {}", job["status"], job["error"])));
    }
    context.remember_article(begun.elapsed());
    let id = demand::text(&job, "article_id")?;
    let article = context.send(get_article(id)).await?;
    demand::status(&article, 200)?;
    Ok((job, article))
}

/// The same for an article that is only looked at: one run orders it once. The job as it ended, and the article as it is now.
pub(crate) async fn written_once(context: &Context, body: &Value) -> Result<(Value, Arc<Exchange>), Halt> {
    let order = async { written(context, body).await.map(|(job, _)| job) };
    let job = context.once(&format!("article {body}"), Box::pin(order)).await?;
    let article = context.send(get_article(demand::text(&job, "article_id")?)).await?;
    demand::status(&article, 200)?;
    Ok((job, article))
}

/// A draft that is only looked at.
pub(crate) async fn some_article(context: &Context) -> Result<(Value, Arc<Exchange>), Halt> {
    written_once(context, &quiet_request(context, "Keeping a list of errands")).await
}

/// Sends a request that may have queued something, which is cancelled then.
pub(crate) async fn send_and_discard(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let exchange = context.send(request).await?;
    if exchange.succeeded() {
        discard(context, &exchange).await?;
    }
    Ok(exchange)
}

/// A topic that any writer can write about, the same for the same case.
pub(crate) fn topic_of(case: &Value) -> &str {
    case["topic"].as_str().unwrap_or("How to choose a bicycle for daily commuting")
}

/// The path below the base URL that a URI reference in an answer to `from` points at.
pub(crate) fn local_path(context: &Context, from: &str, reference: &str) -> Result<String, Halt> {
    let base = &context.facts().base_url;
    let resolved = url::Url::parse(&format!("{base}{from}"))
        .and_then(|url| url.join(reference))
        .map_err(|error| Halt::fail("a URI reference", format!("{reference}: {error}")))?;
    let origin = url::Url::parse(base).map_err(|error| Halt::Error(error.to_string()))?;
    let same = resolved.origin() == origin.origin();
    let path = resolved[url::Position::BeforePath..url::Position::AfterQuery].to_owned();
    match below_base(origin.path(), &path) {
        Some(path) if same => Ok(path.to_owned()),
        _ => Err(Halt::fail("a reference into the same API", reference)),
    }
}

/// A path as it is below the base URL's. A server behind a proxy that strips that one may not know it, and names its own.
fn below_base<'path>(base: &str, path: &'path str) -> Option<&'path str> {
    let below = path.strip_prefix(base.trim_end_matches('/')).filter(|rest| rest.starts_with('/'));
    below.or_else(|| path.starts_with("/api/").then_some(path))
}

/// Captures a lead as the set-up says.
pub(crate) async fn capture(context: &Context, email: &str, name: &str, message: &str) -> Result<Arc<Exchange>, Halt> {
    let Some(capture) = &context.facts().capture else {
        return Err(Halt::Error("no way to capture a lead is configured".to_owned()));
    };
    let mut request = capture_request(capture, email, name, message);
    if context.facts().capabilities.contains(&Capability::LEAD_FORM) {
        request.operation = Some(lead_form::CAPTURE);
    }
    let exchange = context.send(request).await?;
    // A form often answers with a redirect to a page that says thanks.
    if !(300..400).contains(&exchange.status) {
        demand::success(&exchange)?;
    }
    Ok(exchange)
}

fn capture_request(capture: &Capture, email: &str, name: &str, message: &str) -> Request {
    let fill = |text: &str| text.replace("{email}", email).replace("{name}", name).replace("{message}", message);
    let request = Request { path: capture.url.clone(), ..Request::outside(&capture.method, "").by(Credential::None) };
    match (&capture.json, &capture.form) {
        (Some(body), _) => request.json(&fill_json(body, &fill)),
        (None, Some(fields)) => {
            let mut form = url::form_urlencoded::Serializer::new(String::new());
            for (field, value) in fields {
                form.append_pair(field, &fill(value));
            }
            request.bytes("application/x-www-form-urlencoded", form.finish().into_bytes())
        }
        (None, None) => request,
    }
}

fn fill_json(value: &Value, fill: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(fill(text)),
        Value::Array(items) => items.iter().map(|item| fill_json(item, fill)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), fill_json(member, fill))).collect()
        }
        other => other.clone(),
    }
}

/// The second at which the run began, so that no check needs a clock of its own.
pub(crate) fn run_second(context: &Context) -> i64 {
    context.facts().started
}

#[cfg(test)]
mod tests {
    use super::below_base;

    #[test]
    fn a_reference_may_leave_out_the_path_of_the_base_url() {
        assert_eq!(below_base("/content", "/content/api/v1/jobs/job_1"), Some("/api/v1/jobs/job_1"));
        assert_eq!(below_base("/content/", "/api/v1/jobs/job_1"), Some("/api/v1/jobs/job_1"));
        assert_eq!(below_base("/", "/api/v1/jobs?limit=1"), Some("/api/v1/jobs?limit=1"));
        for other in ["/contents/api/v1/jobs", "/other/api/v1/jobs", "/apis/v1/jobs"] {
            assert_eq!(below_base("/content", other), None, "{other}");
        }
    }
}
