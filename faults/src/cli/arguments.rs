//! Command-line arguments, and the fault that an argument names.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::catalogue::{Fault, find, similar};

/// Adds chosen faults to a server of the Content Generation Service API, to test clients, webhook receivers and test suites.
#[derive(Debug, Parser)]
#[command(name = "contentgen-faults", version)]
pub(super) struct Arguments {
    /// Command to run.
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Lists the faults, and the requirements that must notice each.
    List(ListArguments),
    /// Runs a proxy that adds the faults in front of a server.
    Serve(ServeArguments),
    /// Runs a language model with the chat completions of OpenAI, in a dialect of real servers.
    Model(ModelArguments),
}

#[derive(Debug, Args)]
pub(super) struct ModelArguments {
    /// Dialect of the model; `--list` lists all.
    #[arg(long, value_name = "NAME", required_unless_present = "list")]
    pub(super) dialect: Option<String>,
    /// List the dialects, each with a description.
    #[arg(long, conflicts_with = "dialect")]
    pub(super) list: bool,
    /// Equal seeds give equal responses; others choose other sentences and other forms of the dialect.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(super) seed: u64,
    /// Pause before each event of `slow-stream`, in milliseconds.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 1000)]
    pub(super) pause: u64,
    /// Address for requests; port 0 chooses a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8093")]
    pub(super) listen: String,
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Only names that begin with this; may be given several times.
    #[arg(long, value_name = "PREFIX")]
    pub(super) only: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ServeArguments {
    /// The server to which the faults are added, such as `http://127.0.0.1:8080`.
    #[arg(long, value_name = "URL")]
    pub(super) upstream: String,
    /// A fault that is enabled from the start; may be given several times.
    #[arg(long = "fault", value_name = "NAME")]
    pub(super) faults: Vec<String>,
    /// Address for requests; port 0 chooses a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8090")]
    pub(super) listen: String,
    /// Address of the control page, which lists, enables and disables faults. Its path begins with a token, as printed.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8091")]
    pub(super) control: String,
    /// Address for webhooks; port 0 chooses a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8092")]
    pub(super) listen_hooks: String,
    /// The receiver that webhooks are forwarded to. Register the printed address instead of the receiver's.
    #[arg(long, value_name = "URL")]
    pub(super) hooks_to: Option<String>,
    /// The secret of the registered endpoint; changed webhooks are signed again with it.
    #[arg(long, value_name = "SECRET", env = "CONTENTGEN_HOOK_SECRET", hide_env_values = true)]
    pub(super) hooks_secret: Option<String>,
    /// Writes `{"base_url", "control_url", "hooks_url"}` to this file when it accepts requests.
    #[arg(long, value_name = "PATH")]
    pub(super) ready_file: Option<PathBuf>,
}

/// Invalid command line, with a hint.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Mistake(String);

impl Mistake {
    pub(super) fn new(text: String) -> Self {
        Self(text)
    }
}

/// Returns the fault with this name.
pub(super) fn fault(name: &str) -> Result<Fault, Mistake> {
    find(name).ok_or_else(|| {
        let hint = match similar(name)[..] {
            [] => "`contentgen-faults list` lists all faults".to_owned(),
            ref names => format!("did you mean {}?", names.join(", ")),
        };
        Mistake(format!("unknown fault `{name}`; {hint}"))
    })
}
