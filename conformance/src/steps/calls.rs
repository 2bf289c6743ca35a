//! Steps that many checks share: queue, read, wait, cancel, fetch, capture.
//!
//! Steps over lists are in `lists`, demands on responses in `check::demand`.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::paths::segment;
use super::times;
use crate::check::{
    About as _, Capability, Capture, Context, Credential, Exchange, Halt, Request, Verdict, demand, ensure, map_texts,
};
use crate::spec::Profile;

/// Operation that accepts lead forms.
pub(super) const CAPTURE: &str = "capture_lead";

/// Maximum length in bytes of an id from the target. Servers do not read URLs with longer ones, and the suite keeps the id of each job.
const MAX_ID: usize = 8 * 1024;

/// Bodies over this many bytes exceed at least one limit of the document: the one of the lead form.
const LARGE: usize = 16 * 1024;

/// Time that one long poll asks the target to wait, in seconds.
const LONG_POLL: u64 = 5;

/// Hint for a set-up that does not say how long articles take.
const DECLARE_TIME: &str = "; set article.ready_within to the longest time that an article takes";

/// Returns a small request for the website under test that publishes nothing. In core it has only the documented fields.
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

/// Returns a bound of `target_word_count`: its `minimum` or `maximum`.
pub(crate) fn words(context: &Context, bound: &str) -> Value {
    context.document().schema("GenerateRequest")["properties"]["target_word_count"][bound].clone()
}

/// Returns a small request for an article that is published without approval and without a delay.
pub(crate) fn published_request(context: &Context, topic: &str) -> Value {
    let mut body = quiet_request(context, topic);
    if context.document().profile() == Profile::Full {
        body["auto_publish"] = json!(true);
        if context.facts().has_publishing_slots {
            // Without a time the article waits for a slot. A time in the past means no delay.
            let past = DateTime::from_timestamp(context.facts().started, 0).unwrap_or_default();
            body["publish_at"] = json!(past.to_rfc3339_opts(SecondsFormat::Millis, true));
        }
    }
    body
}

/// Returns the request `POST /generate` with a body.
pub(crate) fn generate(body: &Value) -> Request {
    Request::new("generate", "POST", "/generate").json(body)
}

/// Returns the request `GET /jobs/{job_id}`.
pub(crate) fn get_job(job_id: &str) -> Request {
    Request::new("get_job", "GET", &format!("/jobs/{}", segment(job_id)))
}

/// Returns the request `GET /articles/{id}`.
pub(crate) fn get_article(id: &str) -> Request {
    Request::new("get_article", "GET", &format!("/articles/{}", segment(id)))
}

/// Returns the request `GET /leads/{lead_id}`.
pub(crate) fn get_lead(lead_id: &str) -> Request {
    Request::new("get_lead", "GET", &format!("/leads/{}", segment(lead_id)))
}

/// Returns the request `GET /scheduled_posts/{scheduled_post_id}`.
pub(crate) fn get_scheduled_post(post_id: &str) -> Request {
    Request::new("get_scheduled_post", "GET", &format!("/scheduled_posts/{}", segment(post_id)))
}

/// Returns the request `POST /jobs/{job_id}/cancel`.
pub(crate) fn cancel_job(job_id: &str) -> Request {
    Request::new("cancel_job", "POST", &format!("/jobs/{}/cancel", segment(job_id)))
}

/// Queues an article and returns the job's id.
pub(crate) async fn queue(context: &Context, body: &Value) -> Result<String, Halt> {
    let exchange = context.send(generate(body)).await?;
    demand::success(&exchange)?;
    queued(context, &exchange)
}

/// Returns the id of the job in a successful response to `generate`.
pub(crate) fn queued(context: &Context, exchange: &Exchange) -> Result<String, Halt> {
    let job_id = demand::text(demand::json(exchange)?, "job_id")?;
    ensure(job_id.len() <= MAX_ID, format!("a job_id of at most {MAX_ID} bytes"), || {
        format!("{} bytes", job_id.len())
    })?;
    context.remember_id(job_id);
    Ok(job_id.to_owned())
}

/// Cancels a job that no check needs any more. The job may have ended before.
pub(crate) async fn discard(context: &Context, queued: &Exchange) -> Result<(), Halt> {
    if let Some(job_id) = queued.json().and_then(|body| body["job_id"].as_str()) {
        context.send(cancel_job(job_id)).await?;
    }
    Ok(())
}

/// Cancels a job that no check needs any more, if the target has job operations.
pub(crate) async fn discard_where_possible(context: &Context, queued: &Exchange) -> Result<(), Halt> {
    if context.facts().capabilities.contains(&Capability::JOBS) {
        return discard(context, queued).await;
    }
    Ok(())
}

/// Cancels the jobs of a failed case, so that shrinking the case does not fill the target's queue.
pub(crate) async fn clean_up(context: &Context) {
    if !context.facts().capabilities.contains(&Capability::JOBS) {
        return;
    }
    let queued = context.trace();
    let queued =
        queued.iter().filter(|exchange| exchange.request.operation == Some("generate") && exchange.succeeded());
    for exchange in queued {
        // Ignores failures: the case has ended.
        let _ = discard(context, exchange).await;
    }
}

/// Waits until the job has ended and returns the response that shows it.
pub(crate) async fn finished(context: &Context, job_id: &str) -> Result<Arc<Exchange>, Halt> {
    finished_within(context, job_id, context.patience()).await
}

/// Waits until the job has ended, for `patience` at most, and returns the response that shows it.
async fn finished_within(context: &Context, job_id: &str, patience: Duration) -> Result<Arc<Exchange>, Halt> {
    context.waiting(Box::pin(polled(context, job_id, patience))).await
}

/// Waits until the job has ended. A later end is a failure if the set-up declares `article.ready_within`, or if the `deadline_at` of the
/// job has passed.
pub(crate) async fn ended_in_time(context: &Context, job_id: &str) -> Result<Arc<Exchange>, Halt> {
    ended(context, job_id, context.facts().is_ready_within_declared).await
}

/// Waits until the job has ended. A later end is a failure only if the `deadline_at` of the job has passed.
pub(crate) async fn ended_by_deadline(context: &Context, job_id: &str) -> Result<Arc<Exchange>, Halt> {
    ended(context, job_id, false).await
}

async fn ended(context: &Context, job_id: &str, is_declared: bool) -> Result<Arc<Exchange>, Halt> {
    let observed = match finished_within(context, job_id, context.facts().ready_within).await {
        Err(Halt::Inconclusive(observed)) => observed,
        ended => return ended,
    };
    let read = context.send(get_job(job_id)).await?;
    demand::status(&read, 200)?;
    let job = demand::json(&read)?;
    if job["done"] == true || is_terminal(demand::text(job, "status")?) {
        return Ok(read);
    }
    if is_declared {
        return Err(Halt::fail("a job that ends within article.ready_within", observed).about(&read));
    }
    let deadline = times::moment(job, "deadline_at").ok().zip(times::date_of(&read).ok());
    if deadline.is_some_and(|(deadline, now)| deadline < now) {
        return Err(Halt::fail("a job that ends by its deadline_at", demand::brief(job)).about(&read));
    }
    Err(Halt::Inconclusive(observed))
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
            let hint = if context.facts().is_ready_within_declared { "" } else { DECLARE_TIME };
            let seconds = (patience + late).as_secs_f64();
            return Err(Halt::inconclusive(format!("a job was still `{status}` after {seconds:.1} s{hint}")));
        }
        if begun.elapsed() < Duration::from_millis(50) {
            // The target ignores long polls, so poll it less often.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Returns true if a job in this state never changes again.
pub(crate) fn is_terminal(status: &str) -> bool {
    matches!(status, "completed" | "failed" | "cancelled")
}

/// Queues `body`, waits until the job has completed, and returns the job and its article.
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
    has_article(context, &article)?;
    Ok((job, article))
}

/// Demands a response with an article: status 200. In core it may have any 2xx status except 202, which means "not yet".
pub(crate) fn has_article(context: &Context, exchange: &Exchange) -> Verdict {
    if context.document().profile() == Profile::Full {
        return demand::status(exchange, 200);
    }
    let is_there = exchange.succeeded() && exchange.status != 202;
    ensure(is_there, "a 2xx status except 202", || demand::seen(exchange)).about(exchange)
}

/// Returns the completed job and the article of a request that is sent only once in a run, for checks that change nothing.
pub(crate) async fn written_once(context: &Context, body: &Value) -> Result<(Value, Arc<Exchange>), Halt> {
    let order = async { written(context, body).await.map(|(job, _)| job) };
    let job = context.once(&format!("article {body}"), Box::pin(order)).await?;
    let article = context.send(get_article(demand::text(&job, "article_id")?)).await?;
    has_article(context, &article)?;
    Ok((job, article))
}

/// Returns a draft and its job, for checks that change nothing.
pub(crate) async fn some_article(context: &Context) -> Result<(Value, Arc<Exchange>), Halt> {
    written_once(context, &quiet_request(context, "Keeping a list of errands")).await
}

/// Sends a request and cancels the job that it queued, if any.
pub(crate) async fn send_and_discard(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let exchange = context.send(request).await?;
    if exchange.succeeded() {
        discard(context, &exchange).await?;
    }
    Ok(exchange)
}

/// Sends a request. If the connection breaks during a large body, nothing is decided: a server may respond and close the connection
/// without reading such a body, and then the response can get lost.
pub(crate) async fn send_large(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let is_large = request.body.as_ref().is_some_and(|body| body.len() > LARGE);
    context.send(request).await.map_err(|halt| match halt {
        Halt::Fail(finding) if is_large && finding.is_without_response() && !finding.is_timeout() => {
            Halt::inconclusive(format!("the connection broke during a large body: {}", finding.observed))
        }
        other => other,
    })
}

/// Captures a lead in the way that the set-up configures.
pub(crate) async fn capture(context: &Context, email: &str, name: &str, message: &str) -> Result<Arc<Exchange>, Halt> {
    let Some(capture) = &context.facts().capture else {
        return Err(Halt::Error("no way to capture a lead is configured".to_owned()));
    };
    let mut request = capture_request(capture, email, name, message);
    if context.facts().capabilities.contains(&Capability::LEAD_FORM) {
        request.operation = Some(CAPTURE);
    }
    let exchange = context.send(request).await?;
    // Many forms redirect to a page that says thanks.
    if !(300..400).contains(&exchange.status) {
        demand::success(&exchange)?;
    }
    Ok(exchange)
}

fn capture_request(capture: &Capture, email: &str, name: &str, message: &str) -> Request {
    let fill = |text: &str| text.replace("{email}", email).replace("{name}", name).replace("{message}", message);
    let request = Request { path: capture.url.clone(), ..Request::outside(&capture.method, "").by(Credential::None) };
    match (&capture.json, &capture.form) {
        (Some(body), _) => request.json(&map_texts(body, &fill)),
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

/// Returns the topic of a case, or a topic that any writer can write about.
pub(crate) fn topic_of(case: &Value) -> &str {
    case["topic"].as_str().unwrap_or("How to choose a bicycle for daily commuting")
}

/// Returns `value` without fields that are null, at every depth: null and an absent field mean the same.
pub(crate) fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let present = fields.iter().filter(|(_, field)| !field.is_null());
            present.map(|(name, field)| (name.clone(), without_nulls(field))).collect()
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}
