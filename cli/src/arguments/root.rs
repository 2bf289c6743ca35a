//! The commands, and the options that all of them have.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};

use super::environment::VARIABLES;
use super::{Api, Article, Articles, Generate, Leads, Listen, Man, Posts, Trigger, Wait};
use crate::failure::EXIT_CODES;

/// Queue articles, wait for them, read them, retrieve leads and receive webhooks.
#[derive(Debug, Parser)]
#[command(name = "contentgen", version, after_help = format!("{VARIABLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The options of all commands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of all commands")]
pub(crate) struct Global {
    /// Print JSON: one document, or one per line if there are several. Errors and notes are JSON on standard error
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print only results and errors
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Log each request: its response, its duration, and the reason for a retry
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Base URL of the server, instead of `CONTENTGEN_BASE_URL`
    #[arg(long, global = true, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) base_url: Option<String>,
    /// Allow a base URL with http:// on another machine, although anyone on the way can then read the key
    #[arg(long, global = true)]
    pub(crate) allow_plain_http: bool,
    /// Take server, key and website from the file that `contentgen-server serve --demo --ready-file` writes
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) ready_file: Option<PathBuf>,
    /// Take server, key and website from this profile of the configuration file
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) profile: Option<String>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Queue an article; prints the id of its job
    Generate(Box<Generate>),
    /// Wait until the article of a job can be read
    Wait(Wait),
    /// Show the state of a job
    Job(Job),
    /// Cancel a job that has not ended
    Cancel(Job),
    /// Print an article
    Article(Article),
    /// List articles, newest first
    Articles(Articles),
    /// List scheduled posts: queued, being written, planned and published
    Posts(Posts),
    /// Show one scheduled post
    Post(Post),
    /// List leads: as a table, as CSV, or as JSON
    Leads(Leads),
    /// Show all data of a lead
    Lead(Lead),
    /// List the websites that you can write articles for
    Websites,
    /// Receive webhooks, verify their signatures and print their events
    Listen(Listen),
    /// Cause an event on a demonstration server, to try a webhook receiver
    Trigger(Trigger),
    /// Send a request to any path of the server, with the key, retries and pagination
    Api(Api),
    /// Print a completion script for a shell
    Completions(Shell),
    /// Print a manual page, or write all of them
    Man(Man),
}

/// A job.
#[derive(Debug, Args)]
pub(crate) struct Job {
    /// The job's id, as `generate` printed it
    #[arg(value_name = "JOB_ID")]
    pub(crate) job_id: String,
}

/// A scheduled post.
#[derive(Debug, Args)]
pub(crate) struct Post {
    /// The id of the scheduled post, as `posts --json` lists it, or the `scheduled_post_id` of a job
    #[arg(value_name = "POST_ID")]
    pub(crate) post_id: String,
}

/// A lead.
#[derive(Debug, Args)]
pub(crate) struct Lead {
    /// The lead's id, as `leads` or a webhook shows it
    #[arg(value_name = "LEAD_ID")]
    pub(crate) lead_id: String,
}

/// A shell.
#[derive(Debug, Args)]
pub(crate) struct Shell {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
