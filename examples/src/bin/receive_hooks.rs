//! Receives webhooks and verifies their signatures. Fetches each published article, and prints it or the lead.
//!
//! If the article cannot be fetched or the event cannot be read, the receiver responds 503, so that the server sends the webhook
//! again. It also releases the webhook's id, so that the next attempt counts as new.

use std::io::Write as _;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::routing::post;
use clap::Parser;
use contentgen_sdk::types::{Article, Lead};
use contentgen_sdk::webhook::{
    Handled, HookEvent, HookRejection, MemoryReplayGuard, ReplayGuard as _, Verified, Verifier,
};
use contentgen_sdk::{Client, Error, RequestOptions};

/// Time limit for fetching an article. The sender waits for the response; the reference server waits 15 seconds.
const PATIENCE: Duration = Duration::from_secs(8);

/// Receives webhooks, verifies their signatures, prints their events and fetches the published articles.
#[derive(Debug, Parser)]
struct Arguments {
    /// Address to listen on; webhooks go to the path /hooks.
    #[arg(long, default_value = "127.0.0.1:9000")]
    listen: SocketAddr,
    /// Secrets of the webhook endpoint, separated by commas: two during a rotation.
    #[arg(long, env = "CONTENTGEN_HOOK_SECRET", hide_env_values = true, value_delimiter = ',')]
    secret: Vec<String>,
    /// Also show the personal data of leads.
    #[arg(long)]
    show_personal: bool,
}

/// State that all requests share. The ids of received webhooks are lost when the process ends. A real receiver stores them
/// together with its results.
#[derive(Clone)]
struct Receiver {
    verifier: Verifier,
    seen: Arc<MemoryReplayGuard>,
    client: Client,
    show_personal: bool,
}

impl FromRef<Receiver> for Verifier {
    fn from_ref(receiver: &Receiver) -> Self {
        receiver.verifier.clone()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Ignored: there is no other way to report this.
            let _written = writeln!(std::io::stderr().lock(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Listens until it is interrupted.
async fn run(arguments: Arguments) -> Result<()> {
    let verifier = Verifier::new(&arguments.secret).with_context(|| {
        let url = format!("http://{}/hooks", arguments.listen);
        format!("set CONTENTGEN_HOOK_SECRET to what `contentgen-server hook create --url {url}` prints")
    })?;
    // Reads CONTENTGEN_BASE_URL and CONTENTGEN_API_KEY.
    let client = Client::from_env()?.with_options(RequestOptions::default().total_timeout(PATIENCE));
    let receiver = Receiver { verifier, seen: Arc::default(), client, show_personal: arguments.show_personal };
    let hooks = Router::new().route("/hooks", post(receive)).with_state(receiver);
    let listener = tokio::net::TcpListener::bind(arguments.listen)
        .await
        .with_context(|| format!("cannot listen on {}; choose another address with --listen", arguments.listen))?;
    say(&format!("listening on http://{}/hooks", listener.local_addr()?));
    let interrupted = async {
        // Ignored: without a handler, an interrupt ends the process anyway.
        let _interrupted = tokio::signal::ctrl_c().await;
    };
    axum::serve(listener, hooks).with_graceful_shutdown(interrupted).await.context("the webhook receiver failed")
}

/// Handles one delivery. The extractor has verified or refused it.
async fn receive(
    State(receiver): State<Receiver>,
    hook: Result<Verified, HookRejection>,
) -> Result<StatusCode, HookRejection> {
    let hook = hook.inspect_err(|refused| say(&format!("refused: {refused}")))?;
    let handled = receiver.seen.handle(&hook, handle(&receiver, &hook)).await;
    match &handled {
        Handled::Before => say(&format!("{} received again; it was handled before", hook.id())),
        Handled::Failed(reason) => say(&format!("{} {reason}", hook.id())),
        _ => {}
    }
    Ok(handled.status())
}

/// Handles a webhook that was not handled before. An error says why the server must send it again.
async fn handle(receiver: &Receiver, hook: &Verified) -> Result<(), String> {
    // The signature is valid, so a newer version of the server may have sent an event that this program cannot read. The server keeps
    // the event, which may contain a lead, and retries. Until it gives up, the operator can update this program.
    let event = hook.event().map_err(|error| format!("cannot be read, the server will send it again: {error}"))?;
    match describe(&event, receiver).await {
        Ok(description) => say(&format!("{} {description}", hook.id())),
        Err(error) if error.is_retryable() => {
            return Err(format!("was not handled, the server will send it again: {error:#}"));
        }
        Err(error) => say(&format!("{} is about an article that cannot be fetched: {error:#}", hook.id())),
    }
    Ok(())
}

/// Describes an event. Fetches the article of an event about it, because the event has only its summary.
async fn describe(event: &HookEvent, receiver: &Receiver) -> Result<String, Error> {
    Ok(match event {
        HookEvent::ArticlePublished(event) => {
            let article = receiver.client.get_article(&event.data.article.id).send().await?;
            format!("article.published {}", outline(&article))
        }
        HookEvent::ArticleUpdated(event) => {
            let article = receiver.client.get_article(&event.data.article.id).send().await?;
            format!("article.updated {}", outline(&article))
        }
        HookEvent::LeadCaptured(event) => format!("lead.captured {}", lead(&event.data.lead, receiver.show_personal)),
        HookEvent::LeadConfirmed(event) => format!("lead.confirmed {}", lead(&event.data.lead, receiver.show_personal)),
        HookEvent::JobFailed(event) => format!("job.failed {}", event.data.job.job_id),
        HookEvent::ScheduledPostFailed(event) => format!("scheduled_post.failed {}", event.data.scheduled_post.id),
        HookEvent::HookTest(_) => "hook.test".to_owned(),
        other => format!("{:?} (unknown event type)", other.event_type()),
    })
}

/// Describes an article in one line.
fn outline(article: &Article) -> String {
    let title = article.title.as_deref().unwrap_or("untitled");
    let url = article.url.as_deref().unwrap_or("no URL");
    let words = article.content_markdown.as_deref().unwrap_or_default().split_whitespace().count();
    format!(
        "{title:?} at {url}, fetched: {words} words, {} headings, {} questions",
        article.outline.len(),
        article.faq.len()
    )
}

/// Describes a lead in one line. Shows only the names of its fields, unless personal data may be shown.
fn lead(lead: &Lead, show_personal: bool) -> String {
    let told = [("name", &lead.name), ("email", &lead.email), ("phone", &lead.phone), ("message", &lead.message)];
    let told = told.iter().filter_map(|(name, value)| {
        let value = value.as_deref()?;
        Some(if show_personal { format!("{name} {value:?}") } else { (*name).to_owned() })
    });
    let origin = lead.article_id.as_deref().unwrap_or(&lead.website_id);
    let consent = if lead.consent.given { "with" } else { "without" };
    format!("{} for {origin}, {consent} consent, fields: {}", lead.id, told.collect::<Vec<_>>().join(", "))
}

/// Prints a line and flushes it.
fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    // Ignored: a closed terminal must not stop the receiver.
    let _written = writeln!(output, "{line}").and_then(|()| output.flush());
}
