//! Runs today's SDK against a server that implements an evolved document: all operations, pagination, waiting, and errors.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use contentgen_sdk::types::GenerateRequest;
use contentgen_sdk::{Client, Error, ErrorKind, RequestOptions, Response};
use serde::Serialize;
use serde_json::Value;
use tokio::task::JoinSet;

use super::kept;
use super::server::Server;
use super::service::{Mode, PossibleError, Service, WAITED_JOB};
use super::verdict::{Failing, Verdict};

/// Reads all items of a list and writes them as JSON again.
macro_rules! items {
    ($request:expr) => {{
        let mut items = $request.items();
        let mut read = Vec::new();
        while let Some(item) = items.next().await {
            read.push(serde_json::to_value(item?).unwrap_or_default());
        }
        read
    }};
}

/// The operations of today's document, which are the SDK's methods.
pub(super) const OPERATIONS: [&str; 11] = [
    "generate",
    "get_article",
    "list_articles",
    "get_job",
    "cancel_job",
    "list_leads",
    "get_lead",
    "list_scheduled_posts",
    "get_scheduled_post",
    "list_websites",
    "capture_lead",
];
/// The operations that return pages.
const LISTS: [&str; 4] = ["list_articles", "list_leads", "list_scheduled_posts", "list_websites"];
/// Maximum duration of a call; on this machine a response takes a millisecond.
const PATIENCE: Duration = Duration::from_secs(20);
/// Maximum number of new errors of one operation that are tried on one evolution.
const ERRORS_MAX: usize = 4;

/// The value that the SDK read, and the bytes that it was read from.
type Read = (Value, Vec<u8>);

/// Runs all checks of the SDK against a server.
pub(super) async fn run(service: &Arc<Service>, today: &Service, server: &Server) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    let plain = client(&server.base_url(Mode::Plain))?;
    for operation in OPERATIONS {
        one_call(&mut verdict, service, &plain, operation).await;
    }
    for list in LISTS {
        walk(&mut verdict, service, &plain, list).await?;
    }
    wait(&mut verdict, service, client(&server.base_url(Mode::Waiting))?).await;
    for operation in OPERATIONS {
        errors(&mut verdict, service, today, server, operation).await?;
    }
    Ok(verdict)
}

fn client(base_url: &str) -> Result<Client> {
    // Retries would only hide the first failure.
    let options = RequestOptions::default().max_retries(0).total_timeout(PATIENCE);
    let client = Client::builder().base_url(base_url).api_key("key").no_proxy().options(options).build();
    client.context("the client cannot be set up")
}

/// Runs code that may panic; records a panic as a failure.
async fn guarded<T: 'static>(verdict: &mut Verdict, what: &str, work: impl Future<Output = T> + 'static) -> Option<T> {
    verdict.calls += 1;
    let mut task = JoinSet::new();
    task.spawn_local(work);
    match task.join_next().await {
        Some(Ok(outcome)) => Some(outcome),
        Some(Err(error)) => {
            verdict.fail(Failing::Panic, format!("{what}: {error}"));
            None
        }
        None => None,
    }
}

async fn one_call(verdict: &mut Verdict, service: &Service, client: &Client, operation: &'static str) {
    let owned = client.clone();
    match guarded(verdict, operation, async move { call(&owned, operation).await }).await {
        Some(Ok(read)) => check_values(verdict, service, operation, &read),
        Some(Err(error)) => verdict.fail(Failing::Call, format!("{operation}: {error}")),
        None => {}
    }
}

fn check_values(verdict: &mut Verdict, service: &Service, what: &str, (read, body): &Read) {
    let sent: Value = serde_json::from_slice(body).unwrap_or_default();
    for lost in kept::lost(&sent, read, &service.known, &mut verdict.new) {
        verdict.fail(Failing::Value, format!("{what} {lost}"));
    }
}

/// Calls an operation and returns the value that the SDK read, written as JSON again.
async fn call(client: &Client, operation: &str) -> Result<Read, Error> {
    Ok(match operation {
        "generate" => written(&client.generate().topic("t").website_id("w").send().await?),
        "get_article" => written(&client.get_article("a").send().await?),
        "list_articles" => written(&client.list_articles().send().await?),
        "get_job" => written(&client.get_job("j").send().await?),
        "cancel_job" => written(&client.cancel_job("j").send().await?),
        "list_leads" => written(&client.list_leads().send().await?),
        "get_lead" => written(&client.get_lead("l").send().await?),
        "list_scheduled_posts" => written(&client.list_scheduled_posts().send().await?),
        "get_scheduled_post" => written(&client.get_scheduled_post("p").send().await?),
        "capture_lead" => written(&client.capture_lead("w").email("reader@example.com").send().await?),
        _ => written(&client.list_websites().send().await?),
    })
}

fn written<T: Serialize>(response: &Response<T>) -> Read {
    (serde_json::to_value(&**response).unwrap_or_default(), response.body().to_vec())
}

/// Paginates over both pages of a list, item by item.
async fn walk(verdict: &mut Verdict, service: &Service, client: &Client, operation: &'static str) -> Result<()> {
    let place = service.operation(operation).with_context(|| format!("the document has no {operation}"))?;
    let mut expected = Vec::new();
    for is_second in [false, true] {
        expected.extend(service.success(&place, is_second).body["items"].as_array().cloned().unwrap_or_default());
    }
    let owned = client.clone();
    let walked = guarded(verdict, operation, async move {
        Ok::<_, Error>(match operation {
            "list_articles" => items!(owned.list_articles()),
            "list_leads" => items!(owned.list_leads()),
            "list_scheduled_posts" => items!(owned.list_scheduled_posts()),
            _ => items!(owned.list_websites()),
        })
    });
    match walked.await {
        Some(Ok(items)) if items.len() == expected.len() => {
            for (sent, read) in expected.iter().zip(&items) {
                for lost in kept::lost(sent, read, &service.known, &mut verdict.new) {
                    verdict.fail(Failing::Value, format!("an item of {operation} {lost}"));
                }
            }
        }
        Some(Ok(items)) => {
            let what = format!("{operation}: {} of {} items were read", items.len(), expected.len());
            verdict.fail(Failing::Call, what);
        }
        Some(Err(error)) => verdict.fail(Failing::Call, format!("the pages of {operation}: {error}")),
        None => {}
    }
    Ok(())
}

/// Waits for a job that starts in a new state, and for an article.
async fn wait(verdict: &mut Verdict, service: &Service, client: Client) {
    let owned = client.clone();
    let job = guarded(verdict, "wait_for_job", async move {
        owned.wait_for_job("job_1").timeout(PATIENCE).await.map(|job| written(&job))
    });
    match job.await {
        Some(Ok(read)) => check_values(verdict, service, "wait_for_job", &read),
        Some(Err(error)) => verdict.fail(Failing::Call, format!("wait_for_job: {error}")),
        None => {}
    }
    let article = guarded(verdict, "generate_and_wait", async move {
        let request = GenerateRequest::new().topic("t").website_id("w");
        client.generate_and_wait(request).timeout(PATIENCE).await.map(|article| written(&article))
    });
    match article.await {
        Some(Ok(read)) => check_values(verdict, service, "generate_and_wait", &read),
        Some(Err(error)) => verdict.fail(Failing::Call, format!("generate_and_wait for {WAITED_JOB}: {error}")),
        None => {}
    }
}

/// Checks the errors of an operation: new ones, and one existing one.
async fn errors(
    verdict: &mut Verdict,
    service: &Arc<Service>,
    today: &Service,
    server: &Server,
    operation: &'static str,
) -> Result<()> {
    let place = service.operation(operation).with_context(|| format!("the document has no {operation}"))?;
    let known = today.errors(&place);
    let errors = service.errors(&place);
    let is_new =
        |error: &PossibleError| !known.iter().any(|other| (other.status, &other.code) == (error.status, &error.code));
    let mut tried: Vec<usize> = (0..errors.len()).filter(|index| is_new(&errors[*index])).take(ERRORS_MAX).collect();
    tried.push(service.random(&place).below(errors.len()));
    for index in tried {
        let Some(expected) = errors.get(index) else { continue };
        let client = client(&server.base_url(Mode::Error(index)))?;
        let outcome = guarded(verdict, operation, async move { call(&client, operation).await.map(|_| ()) }).await;
        match outcome {
            Some(Err(error)) => check_error(verdict, service, operation, expected, &error),
            Some(Ok(())) => {
                verdict.fail(Failing::Call, format!("{operation}: {} was read as a success", expected.status));
            }
            None => {}
        }
    }
    Ok(())
}

/// Checks that an error reports its status and its code, and keeps unknown fields.
fn check_error(verdict: &mut Verdict, service: &Service, operation: &str, expected: &PossibleError, error: &Error) {
    let status = error.status().map(|status| status.as_u16());
    let is_right = error.kind() == ErrorKind::Api
        && status == Some(expected.status)
        && error.code() == Some(expected.code.as_str());
    if !is_right {
        let what = format!("{operation}: expected {} {}, got {error}", expected.status, expected.code);
        verdict.fail(Failing::Call, what);
        return;
    }
    let sent = service.error(expected).body;
    let read = error.problem().and_then(|problem| serde_json::to_value(problem).ok()).unwrap_or_default();
    for lost in kept::lost(&sent, &read, &service.known, &mut verdict.new) {
        verdict.fail(Failing::Value, format!("the problem {} of {operation} {lost}", expected.code));
    }
}
