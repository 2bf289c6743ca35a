//! Database of a command: `migrate`, and access for the other commands.

use std::path::Path;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::failure::{Exit, Failure};
use super::output::print;
use crate::app::{App, Limits};
use crate::clock::SlewedClock;
use crate::config::{DEFAULT_DATABASE, DEFAULT_FOLDER, Database, Owner};
use crate::domain::account::Account;
use crate::randomness::SystemRandomness;
use crate::storage;

pub(super) fn migrate(database: &Database) -> Result<(), Failure> {
    make_default_folder(&database.database)?;
    let version = storage::migrate(&database.database, &options(database))?;
    print(&format!("{} has schema version {version}\n", storage::shown(&database.database)))
}

/// Opens the use cases on a database, and finds the account that a command is about.
pub(super) async fn open_account(owner: &Owner) -> Result<(App, Account), Failure> {
    let app = open(&owner.database).await?;
    let account = app.account(&owner.account).await?;
    Ok((app, account))
}

/// Opens the use cases on a database, for a short command.
pub(super) async fn open(database: &Database) -> Result<App, Failure> {
    make_default_folder(&database.database)?;
    let clock = Arc::<SlewedClock>::default();
    let options = storage::Options { clock: Some(Arc::clone(&clock)), ..options(database) };
    let store = storage::open(&database.database, &options)?;
    Ok(App::new(store, clock, Arc::new(SystemRandomness), Limits::default(), CancellationToken::new()).await?)
}

fn options(database: &Database) -> storage::Options {
    storage::Options { secret_key: database.secret_key.source(), ..storage::Options::new(Arc::new(SystemRandomness)) }
}

/// Creates the default database's folder. Does not create any other folder, because a missing one is probably a mistyped path.
pub(super) fn make_default_folder(database: &str) -> Result<(), Failure> {
    if database != DEFAULT_DATABASE || Path::new(DEFAULT_FOLDER).is_dir() {
        return Ok(());
    }
    std::fs::create_dir(DEFAULT_FOLDER).map_err(|error| {
        let message = format!(
            "cannot create the folder {DEFAULT_FOLDER} here ({error}); choose another path with --database sqlite:PATH"
        );
        Failure::new(Exit::CannotStart, message)
    })
}
