//! Receives hooks, verifies each by its signature, and prints what it announces.

use std::io::Write as _;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::routing::post;
use clap::Parser;
use contentgen_examples::exit_code;
use contentgen_sdk::webhook::{Event, HookRejection, MemoryReplayGuard, ReplayGuard as _, VerifiedHook, Verifier};

/// Receives hooks, verifies their signatures, and prints what they announce.
#[derive(Debug, Parser)]
struct Arguments {
    /// Where to listen; hooks go to the path /hooks.
    #[arg(long, default_value = "127.0.0.1:9000")]
    listen: SocketAddr,
    /// The secrets that hooks may be signed with, separated by commas: two while one is being replaced.
    #[arg(long, env = "CONTENTGEN_HOOK_SECRET", hide_env_values = true, value_delimiter = ',')]
    secret: Vec<String>,
}

/// What all requests share. The memory of what was seen ends with the process; a real receiver keeps the ids with what it
/// did about them.
#[derive(Clone)]
struct Receiver {
    verifier: Verifier,
    seen: Arc<MemoryReplayGuard>,
}

impl FromRef<Receiver> for Verifier {
    fn from_ref(receiver: &Receiver) -> Self {
        receiver.verifier.clone()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    exit_code(&run(Arguments::parse()).await)
}

/// Listens until it is interrupted.
async fn run(arguments: Arguments) -> Result<()> {
    let verifier = Verifier::new(&arguments.secret).with_context(|| {
        let url = format!("http://{}/hooks", arguments.listen);
        format!("set CONTENTGEN_HOOK_SECRET to what `contentgen-server hook create --url {url}` prints")
    })?;
    let receiver = Receiver { verifier, seen: Arc::default() };
    let hooks = Router::new().route("/hooks", post(receive)).with_state(receiver);
    let listener = tokio::net::TcpListener::bind(arguments.listen)
        .await
        .with_context(|| format!("{} cannot be listened on; choose another address with --listen", arguments.listen))?;
    say(&format!("listening on http://{}/hooks", listener.local_addr()?));
    let interrupted = async {
        // Where interrupts cannot be watched for, the process ends by them anyway.
        let _interrupted = tokio::signal::ctrl_c().await;
    };
    axum::serve(listener, hooks).with_graceful_shutdown(interrupted).await.context("the receiver broke down")
}

/// Handles one delivery, which the extractor has verified or refused.
async fn receive(
    State(receiver): State<Receiver>,
    hook: Result<VerifiedHook, HookRejection>,
) -> Result<StatusCode, HookRejection> {
    let hook = hook.inspect_err(|refused| say(&format!("refused: {refused}")))?;
    let Ok(is_new) = receiver.seen.claim(hook.id()).await;
    if !is_new {
        say(&format!("{} again, which is done already", hook.id()));
        return Ok(StatusCode::NO_CONTENT);
    }
    match hook.event() {
        Ok(event) => say(&format!("{} {}", hook.id(), describe(&event))),
        // It is signed, so it is not the sender's fault that this program cannot read it: asking for it again is no help.
        Err(error) => say(&format!("{} cannot be read: {error}", hook.id())),
    }
    Ok(StatusCode::NO_CONTENT)
}

/// An event in one line. Of a lead only the id is shown: what people have told does not belong on a terminal.
fn describe(event: &Event) -> String {
    match event {
        Event::ArticlePublished(event) => {
            let article = &event.data.article;
            format!("article.published {:?} at {}", article.title, article.url.as_deref().unwrap_or("no address"))
        }
        Event::LeadCaptured(event) => {
            let lead = &event.data.lead;
            format!("lead.captured {} for {}", lead.id, lead.article_id.as_deref().unwrap_or(&lead.website_id))
        }
        Event::JobFailed(event) => format!("job.failed {}", event.data.job.job_id),
        Event::HookTest(_) => "hook.test".to_owned(),
        other => format!("{:?}, which this program does not know", other.tag()),
    }
}

/// Prints a line at once.
fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    // A closed terminal is no reason to lose hooks.
    let _written = writeln!(output, "{line}").and_then(|()| output.flush());
}
