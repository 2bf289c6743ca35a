//! Queues an article over a connection that loses the first response, and shows that it is queued only once.
//!
//! An idempotency key that the caller stores makes this safe. Here it is the number of an order, which is the same in every run of
//! the program. Without a key from the caller, the SDK generates one for each call. A program that is started again after a crash
//! would then queue a second article.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Parser;
use contentgen_sdk::types::{QueuedJob, WebsiteStatus};
use contentgen_sdk::{Client, RequestOptions, Response};
use tokio::io::{AsyncReadExt as _, copy, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// Queues an article over a connection that loses the first response.
#[derive(Debug, Parser)]
struct Arguments {
    /// Name of the order, which is the idempotency key.
    #[arg(default_value = "order-4711")]
    order: String,
    /// Platform key.
    #[arg(long, env = "CONTENTGEN_API_KEY", hide_env_values = true)]
    key: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(&Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Ignored: there is no other way to report this.
            let _written = writeln!(std::io::stderr().lock(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Shows which requests are retried, which are not, and the number of jobs.
async fn run(arguments: &Arguments) -> Result<()> {
    let direct = Client::from_env()?;
    let Some(target) = direct.base_url().strip_prefix("http://") else {
        bail!("the proxy of this program supports only plain http, but the server is at {}", direct.base_url());
    };
    let website_id = first_active_website(&direct).await?;
    let proxy = Proxy::start(target.to_owned()).await?;
    // The reference server stores idempotency keys. On a server without them, a retry would queue a second article. So the SDK retries
    // only if this option is set, or if a response has shown that the server stores keys.
    let keeps_keys = RequestOptions::default().server_keeps_idempotency_keys(true);
    let through_proxy = Client::builder().base_url(format!("http://{}", proxy.address)).api_key(&*arguments.key);
    let through_proxy = through_proxy.options(keeps_keys).build()?;
    let order = arguments.order.as_str();
    let topic = format!("A handbook for {order}");
    let queue = |client: Client, topic: String| {
        let (website_id, key) = (website_id.clone(), order.to_owned());
        async move { client.generate().topic(topic).website_id(website_id).idempotency_key(key).send().await }
    };

    // Retried: the request arrived, but the response was lost. With the key, the client can repeat the request safely.
    let first = queue(through_proxy.clone(), topic.clone()).await?;
    ensure!(proxy.lost() == 1, "the proxy lost no response");
    say(&format!("lost one answer, asked again: job {}, {}", first.job_id, origin(&first)))?;

    // After a crash: a new process has only the order's number, and gets the same job.
    let restarted = Client::from_env()?;
    let again = queue(restarted.clone(), topic.clone()).await?;
    say(&format!("started anew: job {}, {}", again.job_id, origin(&again)))?;

    // Not retried: the server refuses this each time, because a key belongs to one body.
    match queue(through_proxy, "Something else".to_owned()).await {
        Ok(queued) => bail!("the server accepted the key for another request: job {}", queued.job_id),
        Err(refused) => say(&format!("other work under the same key, sent {} time: {refused}", refused.attempts()))?,
    }

    let made = jobs(&restarted, &topic).await?;
    say(&format!("jobs for {order}: {made}"))?;
    ensure!(made == 1 && first.job_id == again.job_id, "the order was queued {made} times");
    Ok(())
}

/// Returns the id of the account's first active website.
async fn first_active_website(client: &Client) -> Result<String> {
    let mut websites = client.list_websites().items();
    while let Some(website) = websites.next().await.transpose()? {
        if website.status == WebsiteStatus::Active {
            return Ok(website.website_id);
        }
    }
    bail!("the account has no active website; create one in the dashboard")
}

/// Counts the server's jobs about a topic.
async fn jobs(client: &Client, topic: &str) -> Result<usize> {
    let mut posts = client.list_scheduled_posts().items();
    let mut made = 0;
    while let Some(post) = posts.next().await {
        made += usize::from(post?.topic == topic);
    }
    Ok(made)
}

/// Describes whether a response is the first one to a request or a replay.
fn origin(queued: &Response<QueuedJob>) -> &'static str {
    if queued.headers().contains_key("idempotency-replayed") { "which was queued before" } else { "queued now" }
}

fn say(line: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{line}").context("the output cannot be written")
}

/// Proxy that forwards connections. It loses the response on the first one: the server gets the request, the client gets nothing.
struct Proxy {
    address: SocketAddr,
    lost: Arc<AtomicU32>,
    _listening: JoinSet<()>,
}

impl Proxy {
    async fn start(target: String) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no port is free for the proxy")?;
        let address = listener.local_addr()?;
        let lost = Arc::new(AtomicU32::new(0));
        let mut listening = JoinSet::new();
        listening.spawn(listen(listener, target, Arc::clone(&lost)));
        Ok(Self { address, lost, _listening: listening })
    }

    /// Returns the number of lost responses.
    fn lost(&self) -> u32 {
        self.lost.load(Ordering::Relaxed)
    }
}

async fn listen(listener: TcpListener, target: String, lost: Arc<AtomicU32>) {
    let mut connections = JoinSet::new();
    while let Ok((mut near, _)) = listener.accept().await {
        let Ok(mut far) = TcpStream::connect(&target).await else { continue };
        if lost.load(Ordering::Relaxed) == 0 {
            lose_the_answer(near, far, &lost).await;
        } else {
            connections.spawn(async move {
                // Ignored: the SDK handles broken connections.
                let _passed = copy_bidirectional(&mut near, &mut far).await;
            });
        }
    }
}

/// Forwards a request until the response begins, then drops both connections.
async fn lose_the_answer(mut near: TcpStream, far: TcpStream, lost: &AtomicU32) {
    let (mut answers, mut requests) = far.into_split();
    let mut beginning = [0; 1];
    tokio::select! {
        _ = copy(&mut near, &mut requests) => {}
        read = answers.read(&mut beginning) => {
            lost.fetch_add(u32::from(read.is_ok_and(|bytes| bytes > 0)), Ordering::Relaxed);
        }
    }
}
