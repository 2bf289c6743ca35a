//! Receives hooks, verifies each by its signature, and prints what it announces.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use clap::Parser;
use contentgen_examples::exit_code;
use contentgen_sdk::webhook::{Event, Verifier};

/// Senders of this API stay below 64 KiB.
const LARGEST_BODY: usize = 64 * 1024;
/// How many event ids are remembered, to tell a repeated delivery from a new event.
const MOST_IDS: usize = 10_000;

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

/// What all requests share.
struct Receiver {
    verifier: Verifier,
    seen: Mutex<BTreeSet<String>>,
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
    let receiver = Arc::new(Receiver { verifier, seen: Mutex::default() });
    let hooks =
        Router::new().route("/hooks", post(receive)).layer(DefaultBodyLimit::max(LARGEST_BODY)).with_state(receiver);
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

/// Handles one delivery. The body is taken as bytes: the signature is over exactly those.
async fn receive(State(receiver): State<Arc<Receiver>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let hook = match receiver.verifier.verify(&headers, &body) {
        Ok(hook) => hook,
        Err(error) => {
            say(&format!("refused: {error}"));
            return StatusCode::BAD_REQUEST;
        }
    };
    if !is_new(&receiver.seen, hook.id()) {
        say(&format!("{} again, which is done already", hook.id()));
        return StatusCode::NO_CONTENT;
    }
    match hook.event() {
        Ok(event) => say(&format!("{} {}", hook.id(), describe(&event))),
        // It is signed, so it is not the sender's fault that this program cannot read it: asking for it again is no help.
        Err(error) => say(&format!("{} cannot be read: {error}", hook.id())),
    }
    StatusCode::NO_CONTENT
}

/// Remembers an event, and says whether it had not been seen before. The memory ends with the process; a real receiver
/// keeps the ids with what it did about them.
fn is_new(seen: &Mutex<BTreeSet<String>>, id: &str) -> bool {
    let mut seen = seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if seen.len() >= MOST_IDS {
        seen.pop_first();
    }
    seen.insert(id.to_owned())
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
