//! `login`: checks a key and stores it, so that later commands need no variables.

use std::io::{BufRead as _, IsTerminal as _, Read as _};

use crate::arguments::Global;
use crate::connection::{Connection, NewProfile};
use crate::failure::{Exit, Failure};
use crate::output::Screen;

/// Maximum size of a key in bytes.
const MAX_KEY_BYTES: u64 = 4096;

/// Reads the key from a terminal, without showing it, or from the first line of standard input. Called before any asynchronous work, so
/// that Ctrl-C ends a blocking read too.
pub(super) fn key(screen: Screen) -> Result<String, Failure> {
    let unreadable = |error: std::io::Error| Failure::new(Exit::Failed, format!("the key cannot be read: {error}"));
    let mut key = String::new();
    if std::io::stdin().is_terminal() {
        screen.mention("paste the platform key, which is not shown, and press Enter");
        key = console::Term::stderr().read_secure_line().map_err(unreadable)?;
    } else {
        std::io::stdin().lock().take(MAX_KEY_BYTES).read_line(&mut key).map_err(unreadable)?;
    }
    let key = key.trim().to_owned();
    if key.is_empty() {
        return Err(Failure::usage("no key: write the platform key to standard input"));
    }
    Ok(key)
}

/// Checks the key at the server and stores both as a profile.
pub(super) async fn login(profile: &NewProfile, global: &Global, key: String, screen: Screen) -> Result<(), Failure> {
    let connection = Connection::to(profile.target(key.clone()), global.allow_plain_http)?;
    match connection.client.list_websites().limit(1).send().await {
        // A key without this scope is known to the server, too.
        Err(error) if error.code() != Some("insufficient_scope") => Err(error.into()),
        _ => profile.store(&key, screen),
    }
}
