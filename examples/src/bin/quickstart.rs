//! Queues an article, waits until it is written, and prints it as Markdown.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Parser;
use contentgen_sdk::Client;
use contentgen_sdk::types::{Article, GenerateRequest, Job, WebsiteStatus};

/// Queues an article, waits until it is written, and prints it.
#[derive(Debug, Parser)]
struct Arguments {
    /// Topic of the article.
    #[arg(default_value = "Raised beds for a small garden")]
    topic: String,
    /// The website to write for; by default the first active one.
    #[arg(long, env = "CONTENTGEN_WEBSITE_ID")]
    website_id: Option<String>,
    /// How many seconds to wait for the article.
    #[arg(long, default_value_t = 300)]
    timeout: u64,
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

async fn run(arguments: Arguments) -> Result<()> {
    // Reads CONTENTGEN_BASE_URL and CONTENTGEN_API_KEY.
    let client = Client::from_env()?;
    let website_id = match arguments.website_id {
        Some(website_id) => website_id,
        None => first_active_website(&client).await?,
    };
    let request = GenerateRequest::new().topic(arguments.topic).website_id(website_id);
    let article =
        client.generate_and_wait(request).timeout(Duration::from_secs(arguments.timeout)).on_progress(tell).await?;
    print(&article)
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
