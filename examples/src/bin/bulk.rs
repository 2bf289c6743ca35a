//! Queues an article for each line of a file, some at a time, with a progress bar. If the program is killed and started again,
//! it continues and queues no topic twice.
//!
//! Two mechanisms ensure this. Each topic has an idempotency key that is derived from the topic. If a request was sent but not
//! recorded, the server recognises the key (it remembers keys for a day). A journal beside the file records each job before the
//! program waits for it. A restart after any time waits for the same job.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use contentgen_sdk::types::WebsiteStatus;
use contentgen_sdk::{Client, Error, ErrorKind};
use futures::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};
use sha2::{Digest as _, Sha256};

/// Queues an article for each line of a file and waits until all are written.
#[derive(Debug, Parser)]
struct Arguments {
    /// A file with one topic on each line.
    topics: PathBuf,
    /// Number of articles to wait for at the same time.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..))]
    concurrency: u8,
    /// File that records what was queued and written; by default the name of the file with topics and `.journal` after it.
    #[arg(long)]
    journal: Option<PathBuf>,
    /// The website to write for; by default the first active one.
    #[arg(long, env = "CONTENTGEN_WEBSITE_ID")]
    website_id: Option<String>,
}

/// Topic and its permanent idempotency key.
struct Row {
    topic: String,
    key: String,
}

/// Recorded state of a topic.
#[derive(Clone)]
enum Noted {
    Queued(String),
    Written,
}

/// Journal on disk. A line is `queued KEY JOB` or `written KEY ARTICLE`; incomplete lines are skipped.
struct Journal {
    noted: BTreeMap<String, Noted>,
    file: Mutex<File>,
}

impl Journal {
    fn open(path: &Path) -> Result<Self> {
        let text = if path.exists() { std::fs::read_to_string(path)? } else { String::new() };
        let mut noted = BTreeMap::new();
        for line in text.lines() {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["queued", key, job] => noted.insert(key.to_owned(), Noted::Queued(job.to_owned())),
                ["written", key, _article] => noted.insert(key.to_owned(), Noted::Written),
                _ => None,
            };
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if !text.is_empty() && !text.ends_with('\n') {
            // Ends an incomplete line, so that the next entry starts on a new line.
            writeln!(file)?;
        }
        Ok(Self { noted, file: Mutex::new(file) })
    }

    /// Appends an entry. The entry is on the disk when this returns.
    fn note(&self, what: &str, key: &str, id: &str) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.write_all(format!("{what} {key} {id}\n").as_bytes()).context("the journal cannot be written")?;
        file.sync_data().context("the journal cannot be written")
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

/// Queues the topics that have no article yet, and waits for their articles.
async fn run(arguments: Arguments) -> Result<()> {
    let shown = arguments.topics.display();
    let text = std::fs::read_to_string(&arguments.topics).with_context(|| format!("{shown} cannot be read"))?;
    let journal = arguments.journal.unwrap_or_else(|| arguments.topics.with_added_extension("journal"));
    let journal = Journal::open(&journal).with_context(|| format!("{} cannot be used", journal.display()))?;
    // Reads CONTENTGEN_BASE_URL and CONTENTGEN_API_KEY.
    let client = Client::from_env()?;
    let website_id = match arguments.website_id {
        Some(website_id) => website_id,
        None => first_active_website(&client).await?,
    };
    let mut rows = rows(&text, &website_id);
    let all = rows.len();
    rows.retain(|row| !matches!(journal.noted.get(&row.key), Some(Noted::Written)));
    let bar = ProgressBar::new(all as u64).with_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}")?);
    bar.inc((all - rows.len()) as u64);
    let work = rows.iter().map(|row| write(&client, &website_id, row, &journal, &bar));
    let failed = futures::stream::iter(work)
        .buffer_unordered(usize::from(arguments.concurrency))
        .filter_map(async |outcome| outcome.err())
        .inspect(|error| bar.suspend(|| complain(error)))
        .count()
        .await;
    bar.finish();
    if failed > 0 {
        bail!("{failed} of {all} topics have no article; run the program again to retry those that may still get one");
    }
    writeln!(std::io::stdout(), "{all} articles, {} of them written now", rows.len())?;
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

/// Queues one topic, unless the journal has its job, and waits for its article.
async fn write(client: &Client, website_id: &str, row: &Row, journal: &Journal, bar: &ProgressBar) -> Result<()> {
    let told = |error: Error| anyhow::Error::new(error).context(format!("no article about {:?}", row.topic));
    let job_id = if let Some(Noted::Queued(job_id)) = journal.noted.get(&row.key) {
        job_id.clone()
    } else {
        let request = client.generate().topic(row.topic.as_str()).website_id(website_id).idempotency_key(&row.key);
        let queued = request.send().await.map_err(told)?;
        journal.note("queued", &row.key, &queued.job_id)?;
        queued.job_id.clone()
    };
    let article = client.wait_for_article(&job_id).await.map_err(|error| {
        let is_final = error.kind() == ErrorKind::Generation;
        told(error).context(if is_final { "this job has ended" } else { "this job may still succeed" })
    })?;
    journal.note("written", &row.key, article.id.as_deref().unwrap_or(&job_id))?;
    bar.set_message(row.topic.clone());
    bar.inc(1);
    Ok(())
}

/// Returns the topics of a file with their keys. A topic that occurs twice gets two articles, so the key includes the number
/// of the occurrence. The key does not include the line number, so that the user can insert lines anywhere.
fn rows(text: &str, website_id: &str) -> Vec<Row> {
    let mut times = BTreeMap::<&str, u32>::new();
    let topics = text.lines().map(str::trim).filter(|topic| !topic.is_empty());
    topics
        .map(|topic| {
            let time = times.entry(topic).or_default();
            *time += 1;
            let digest = Sha256::digest(format!("{website_id}\n{time}\n{topic}"));
            let half = digest.first_chunk().expect("a digest has 32 bytes");
            Row { topic: topic.to_owned(), key: format!("{:032x}", u128::from_be_bytes(*half)) }
        })
        .collect()
}

fn complain(error: &anyhow::Error) {
    // Ignored: there is no other way to report this.
    let _written = writeln!(std::io::stderr().lock(), "{error:#}");
}
