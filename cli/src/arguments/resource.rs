//! The commands of a resource: `articles` and `articles list` list, `articles get ID` shows one.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::Format;

/// A command of a resource; without a verb it lists.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Resource<L: Args, V: Subcommand> {
    #[command(subcommand)]
    verb: Option<V>,
    #[command(flatten)]
    list: L,
}

impl<L: Args, V: Subcommand + From<L>> Resource<L, V> {
    /// Returns the verb.
    pub(crate) fn verb(self) -> V {
        self.verb.unwrap_or_else(|| self.list.into())
    }
}

/// The verbs of a resource that can be listed and read.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb<L: Args, G: Args> {
    /// List them, newest first; this is the default
    List(L),
    /// Show one by its id
    Get(G),
}

impl<L: Args, G: Args> From<L> for Verb<L, G> {
    fn from(list: L) -> Self {
        Self::List(list)
    }
}

/// The verbs of a resource that can only be listed.
#[derive(Debug, Subcommand)]
pub(crate) enum ListVerb<L: Args> {
    /// List them; this is the default
    List(L),
}

impl<L: Args> From<L> for ListVerb<L> {
    fn from(list: L) -> Self {
        Self::List(list)
    }
}

/// The verbs of jobs, which have no list.
#[derive(Debug, Subcommand)]
pub(crate) enum Jobs {
    /// Show the state of a job
    Get(Job),
    /// Cancel a job that has not ended
    Cancel(Job),
}

/// A job.
#[derive(Debug, Args)]
pub(crate) struct Job {
    /// The job's id, as `generate` printed it
    #[arg(value_name = "JOB_ID")]
    pub(crate) job_id: String,
}

/// An article, and how it is printed.
#[derive(Debug, Args)]
pub(crate) struct Article {
    /// The id of the article, or of the job that wrote it
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Format of the printed article; --json prints all fields
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    pub(crate) format: Format,
    /// The file to write, replaced when the article is complete; by default standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// A scheduled post.
#[derive(Debug, Args)]
pub(crate) struct Post {
    /// The id of the scheduled post, as `posts` lists it, or the `scheduled_post_id` of a job
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
