//! The options of `api`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};

use super::metadata;

/// The methods that can be sent.
const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/// What to send, and how its answer is read.
#[derive(Debug, Args)]
pub(crate) struct Api {
    /// The method of the request
    #[arg(value_name = "METHOD", ignore_case = true, value_parser = PossibleValuesParser::new(METHODS))]
    pub(crate) method: String,
    /// The path on the server, such as /api/v1/websites; a query may follow after a ?
    #[arg(value_name = "PATH")]
    pub(crate) path: String,
    /// A parameter of the query; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = metadata::parse)]
    pub(crate) query: Vec<(String, String)>,
    /// The file with the JSON to send, 64 KiB at most; `-` is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) input: Option<PathBuf>,
    /// Read all pages of a list, and print one item per line
    #[arg(long)]
    pub(crate) paginate: bool,
    /// Idempotency key, with which the request can be retried; by default `POST /api/v1/generate` gets a new one
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    pub(crate) idempotency_key: Option<String>,
}
