//! Queues an article, waits until it is written, and prints it as Markdown.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Parser;
use contentgen_examples::{Connection, connect, exit_code, with_advice};
use contentgen_sdk::types::{Article, GenerateRequest, Job};

/// Queues an article, waits until it is written, and prints it.
#[derive(Debug, Parser)]
struct Arguments {
    /// Topic of the article.
    #[arg(default_value = "Raised beds for a small garden")]
    topic: String,
    /// Take server and key from the file that `serve --demo --ready-file` writes, not from the environment.
    #[arg(long)]
    ready_file: Option<PathBuf>,
    /// The website to write for; by default the first active one.
    #[arg(long, env = "CONTENTGEN_WEBSITE_ID")]
    website_id: Option<String>,
    /// How many seconds to wait for the article.
    #[arg(long, default_value_t = 300)]
    timeout: u64,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    exit_code(&run(Arguments::parse()).await)
}

async fn run(arguments: Arguments) -> Result<()> {
    let Connection { client, website_id } = connect(arguments.ready_file.as_deref(), arguments.website_id).await?;
    let request = GenerateRequest::builder().topic(arguments.topic).website_id(website_id);
    let article = client
        .generate_and_wait(request)
        .timeout(Duration::from_secs(arguments.timeout))
        .on_progress(tell)
        .await
        .map_err(|error| with_advice(&error))?;
    print(&article)
}

/// Prints the progress of the job to standard error, separate from the article.
fn tell(job: &Job) {
    // Ignored: the article matters more than its progress lines.
    let _written = writeln!(std::io::stderr().lock(), "{} {} {}%", job.job_id, job.status, job.progress.unwrap_or(0));
}

/// Prints an article as Markdown.
fn print(article: &Article) -> Result<()> {
    let mut output = std::io::stdout().lock();
    writeln!(output, "# {}\n", article.title.as_deref().unwrap_or("Untitled"))?;
    writeln!(output, "{}", article.content_markdown.as_deref().unwrap_or_default().trim_end())?;
    for entry in &article.faq {
        writeln!(output, "\n**{}** {}", entry.question, entry.answer)?;
    }
    if let Some(url) = &article.url {
        writeln!(output, "\nPublished at {url}")?;
    }
    Ok(())
}
