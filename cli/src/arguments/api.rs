//! The options of `api`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use serde_json::Value;

use super::metadata;

/// The methods that can be sent.
const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/// A request, and how its response is printed.
#[derive(Debug, Args)]
pub(crate) struct Api {
    /// The path on the server, such as /api/v1/websites; it may end with a query, such as ?limit=10
    #[arg(value_name = "PATH")]
    pub(crate) path: String,
    /// The method; by default GET, or POST if there is a body
    #[arg(long, short = 'X', value_name = "METHOD", ignore_case = true, value_parser = PossibleValuesParser::new(METHODS))]
    pub(crate) method: Option<String>,
    /// A header of the request; may be given several times
    #[arg(long = "header", short = 'H', value_name = "NAME: VALUE", value_parser = parse_header)]
    pub(crate) headers: Vec<(String, String)>,
    /// A parameter of the query; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = metadata::parse)]
    pub(crate) query: Vec<(String, String)>,
    /// A field of the JSON to send, with a text as its value; may be given several times
    #[arg(long = "raw-field", short = 'f', value_name = "NAME=TEXT", value_parser = metadata::parse, conflicts_with = "input")]
    pub(crate) texts: Vec<(String, String)>,
    /// A field of the JSON to send, with any JSON as its value, such as 400 or true; may be given several times
    #[arg(long = "field", short = 'F', value_name = "NAME=JSON", value_parser = parse_field, conflicts_with = "input")]
    pub(crate) fields: Vec<(String, Value)>,
    /// The file with the JSON to send, 64 KiB at most; `-` is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) input: Option<PathBuf>,
    /// Print status and headers of the response before its body
    #[arg(long, short)]
    pub(crate) include: bool,
    /// Read all pages of a list, and print one item per line
    #[arg(long, conflicts_with_all = ["include", "output"])]
    pub(crate) paginate: bool,
    /// Idempotency key, with which the request can be retried; by default `POST /api/v1/generate` gets a new one
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    pub(crate) idempotency_key: Option<String>,
    /// The file to write the bytes of the response to; by default standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// Parses `Name: value`.
fn parse_header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write it as 'Name: value'".to_owned()),
    }
}

/// Parses `name=JSON`.
fn parse_field(text: &str) -> Result<(String, Value), String> {
    let (name, json) = metadata::parse(text)?;
    match serde_json::from_str(&json) {
        Ok(value) => Ok((name, value)),
        Err(_) => Err("the value is not JSON; use -f for a text without quotes".to_owned()),
    }
}
