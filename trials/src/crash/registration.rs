//! Creates the account, the website, the key and the hook endpoints of a scenario with the server's own commands.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::evidence::Endpoint;
use super::receiver::{Manner, Receiver};
use crate::program::Program;

/// The account of every scenario.
pub(super) const ACCOUNT: &str = "crash";

/// The created account, website, key and endpoints.
#[derive(Debug)]
pub(super) struct Registration {
    pub(super) api_key: String,
    pub(super) website_id: String,
    pub(super) endpoints: Vec<Endpoint>,
}

impl Registration {
    /// Creates everything in the database at `address`, with one hook endpoint for each manner of the receiver.
    pub(super) fn make(program: &Program, folder: &Path, address: &str, receiver: &Receiver) -> Result<Self> {
        program.run_command(folder, address, &["account", "create", "--name", ACCOUNT])?;
        let of_account = ["--account", ACCOUNT];
        let run = |command: [&str; 2], more: &[&str]| {
            program.run_command(folder, address, &[command.as_slice(), &of_account, more].concat())
        };
        let website = run(["website", "create"], &["--name", "Crash", "--url", "https://crash.example"])?;
        let key = run(["key", "create"], &["--name", "everything"])?;
        let mut endpoints = Vec::new();
        for (index, manner) in Manner::ALL.into_iter().enumerate() {
            let url = receiver.url(index);
            let has_content = manner == Manner::HangsUpAtFirst;
            let mut more = vec!["--url", &url];
            more.extend(has_content.then_some("--include-content"));
            let printed = run(["hook", "create"], &more)?;
            let secret = field(&printed, "secret")?;
            let secret = STANDARD.decode(secret.strip_prefix("whsec_").unwrap_or_default())?;
            endpoints.push(Endpoint { id: field(&printed, "hook")?, secret, has_content, is_removed: false });
        }
        Ok(Self { api_key: field(&key, "key")?, website_id: field(&website, "website_id")?, endpoints })
    }
}

fn field(printed: &BTreeMap<String, String>, name: &str) -> Result<String> {
    printed.get(name).cloned().with_context(|| format!("the server printed no `{name}`"))
}
