//! The commands of a demonstration server.

use clap::{Args, Subcommand, ValueEnum};

/// The commands that need a demonstration server.
#[derive(Debug, Subcommand)]
pub(crate) enum Demo {
    /// Cause an event, to try a webhook receiver
    Trigger(Trigger),
}

/// The event to cause, and its website.
#[derive(Debug, Args)]
pub(crate) struct Trigger {
    /// The event
    #[arg(value_enum, value_name = "EVENT")]
    pub(crate) event: TriggeredEvent,
    /// The website of the event; by default that of the ready file, that of `CONTENTGEN_WEBSITE_ID`, or the first active one
    #[arg(long, value_name = "ID")]
    pub(crate) website_id: Option<String>,
}

/// The events that a caller of the API can bring about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TriggeredEvent {
    /// Send the lead form with a new e-mail address
    #[value(name = "lead.captured")]
    LeadCaptured,
    /// Queue an article that is published right after it is written
    #[value(name = "article.published")]
    ArticlePublished,
    /// Queue an article on the topic that fails; needs --ready-file, which contains that topic
    #[value(name = "job.failed")]
    JobFailed,
}
