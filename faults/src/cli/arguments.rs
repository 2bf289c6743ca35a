//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Spoils a server of the Content Generation Service API in a chosen way, for whoever writes a client, a receiver or a suite.
#[derive(Debug, Parser)]
#[command(name = "contentgen-faults", version)]
pub(super) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Lists the faults and what must notice each.
    List(ListArguments),
    /// Stands in front of a server and spoils what passes.
    Serve(ServeArguments),
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Only names that begin with this; may be given several times.
    #[arg(long, value_name = "PREFIX")]
    pub(super) only: Vec<String>,
    /// As JSON.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ServeArguments {
    /// The server that is spoiled, such as `http://127.0.0.1:8080`.
    #[arg(long, value_name = "URL")]
    pub(super) upstream: String,
    /// A fault to begin with; may be given several times.
    #[arg(long = "fault", value_name = "NAME")]
    pub(super) faults: Vec<String>,
    /// Where to take requests; port 0 takes any free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8090")]
    pub(super) listen: String,
    /// Where faults are listed, enabled and disabled while it runs.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8091")]
    pub(super) control: String,
    /// Where to take hooks; port 0 takes any free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8092")]
    pub(super) listen_hooks: String,
    /// The receiver that hooks are passed on to. Register the address that is printed in its place.
    #[arg(long, value_name = "URL")]
    pub(super) hooks_to: Option<String>,
    /// The secret of the registered endpoint, with which changed hooks are signed anew.
    #[arg(long, value_name = "SECRET", env = "CONTENTGEN_HOOK_SECRET", hide_env_values = true)]
    pub(super) hooks_secret: Option<String>,
    /// Writes `{"base_url", "control_url", "hooks_url"}` here once it takes requests.
    #[arg(long, value_name = "PATH")]
    pub(super) ready_file: Option<PathBuf>,
}
