//! The commands, and the options that all of them have.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};

use super::environment::VARIABLES;
use super::resource::Resource;
use super::{
    Api, Article, Articles, Demo, Generate, Jobs, Lead, Leads, ListVerb, Listen, Login, Man, Paging, Post, Posts, Verb,
    Wait,
};
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
    /// Print JSON, one document per line if there are several; `--json=id,title` prints these fields only. Errors and notes are JSON on
    /// standard error
    #[arg(long, global = true, value_name = "FIELDS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) json: Option<String>,
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
    /// Also trust the certificate authorities in this PEM file, for https
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) ca_cert: Option<PathBuf>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Queue an article; prints the id of its job
    Generate(Box<Generate>),
    /// Wait until the article of a job can be read, and print its summary
    Wait(Wait),
    /// Show or cancel a job
    #[command(subcommand)]
    Jobs(Jobs),
    /// List articles, or print one
    Articles(Resource<Articles, Verb<Articles, Article>>),
    /// List scheduled posts (queued, being written, planned and published), or show one
    Posts(Resource<Posts, Verb<Posts, Post>>),
    /// List leads as a table, as CSV or as JSON, or show one
    Leads(Resource<Leads, Verb<Leads, Lead>>),
    /// List the websites that you can write articles for
    Websites(Resource<Paging, ListVerb<Paging>>),
    /// Receive webhooks, verify their signatures and print their events
    Listen(Listen),
    /// Store the server of --base-url as a profile, with its key from the terminal or standard input
    Login(Login),
    /// Send a request to any path of the server, with the key, retries and pagination
    Api(Api),
    /// Commands for a demonstration server
    #[command(subcommand)]
    Demo(Demo),
    /// Print a completion script for a shell
    Completions(Shell),
    /// Print a manual page, or write all of them
    Man(Man),
}

/// A shell.
#[derive(Debug, Args)]
pub(crate) struct Shell {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
