//! Opens the store at a database address.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::clock::SlewedClock;
use crate::domain::clock::Timestamp;
use crate::domain::randomness::Randomness;
use crate::wakeups::Wakeups;

use super::postgres::{MAX_CONNECTIONS, Postgres};
use super::secret_cipher::SecretCipher;
use super::settings;
use super::sqlite::Sqlite;
use super::store::{Engine, Store};
use super::{OpenError, SecretKey, SecretKeySource};

/// Options for opening a database.
#[derive(Debug, Clone)]
pub struct Options {
    /// Source of values that the store makes: ids of deliveries and of the events of jobs that it fails, lease tokens,
    /// nonces, and the keys of a new database. See [`open`] for its requirements.
    pub randomness: Arc<dyn Randomness>,
    /// Location of the key for secrets. Default: for SQLite the database's path with `.key` added, for PostgreSQL
    /// `contentgen.key` in the working folder.
    pub secret_key: Option<SecretKeySource>,
    /// Time when this process began to serve the database; `None` for a set-up command. Only one process at a time may
    /// serve an SQLite file.
    pub serving_since: Option<Timestamp>,
    /// Clock that follows the time of a PostgreSQL database, which several machines may share.
    pub clock: Option<Arc<SlewedClock>>,
    /// Maximum number of connections to PostgreSQL, from [`MIN_CONNECTIONS`](super::MIN_CONNECTIONS) to
    /// [`MAX_CONNECTIONS`]. With fewer, different kinds of work wait for each other.
    pub connections: u16,
}

impl Options {
    /// Returns options for a set-up command, with the default location of the key.
    pub fn new(randomness: Arc<dyn Randomness>) -> Self {
        Self { randomness, secret_key: None, serving_since: None, clock: None, connections: MAX_CONNECTIONS }
    }
}

pub(super) enum Address {
    Sqlite(PathBuf),
    Postgres(Box<super::postgres::Address>),
}

/// Opens the database at `database_url` (`sqlite:PATH`, where the path may be relative, or `postgres://…`). Creates a missing
/// file, and brings the schema up to date.
///
/// The store makes ids, lease tokens and nonces from `options.randomness`, and does not check that they are new. So each
/// process that opens the database must receive different bytes, also when it opens the database again. Otherwise ids collide,
/// a lost lease can look like a valid one, and a repeated nonce reveals secrets. The system's randomness fulfils this.
pub fn open(database_url: &str, options: &Options) -> Result<Store, OpenError> {
    let wakeups = Arc::<Wakeups>::default();
    let (engine, key) = match parse(database_url)? {
        Address::Sqlite(path) => {
            let key = key(options, &key_file(&path), Sqlite::inspect(&path)?)?;
            let sqlite = Sqlite::open(&path, options.serving_since, &options.randomness)?;
            (Engine::Sqlite(Arc::new(sqlite)), key)
        }
        Address::Postgres(mut address) => {
            address.read_certificates()?;
            let key = key(options, Path::new("contentgen.key"), Postgres::inspect(&address)?)?;
            let postgres = Postgres::open(&address, &wakeups, options)?;
            (Engine::Postgres(Arc::new(postgres)), key)
        }
    };
    let check = key.check();
    let store = Store::new(engine, SecretCipher::new(&key, Arc::clone(&options.randomness)), wakeups);
    finish(store, check)
}

/// Brings the schema of the database at `database_url` up to date and returns its version. Creates a missing file.
pub fn migrate(database_url: &str, options: &Options) -> Result<u32, OpenError> {
    let version = match parse(database_url)? {
        Address::Sqlite(_) => Sqlite::schema_version(),
        Address::Postgres(_) => Postgres::schema_version(),
    };
    open(database_url, options)?;
    Ok(version)
}

fn key(options: &Options, default: &Path, check: Option<[u8; 32]>) -> Result<SecretKey, OpenError> {
    match &options.secret_key {
        Some(source) => source.key(check, &*options.randomness),
        None => SecretKeySource::File(default.to_owned()).key(check, &*options.randomness),
    }
}

fn key_file(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".key");
    PathBuf::from(name)
}

/// Stores the check of the key. Returns an error if another process has stored the check of a different key first.
fn finish(store: Store, check: [u8; 32]) -> Result<Store, OpenError> {
    let put_check = store.write(move |session| settings::put_secret_key_check(session, &check));
    match futures::executor::block_on(put_check) {
        Ok(stored) if stored == check => Ok(store),
        Ok(_) => Err(OpenError::WrongSecretKey),
        Err(error) => Err(OpenError::NotWritable { source: error.into() }),
    }
}

pub(super) fn parse(database_url: &str) -> Result<Address, OpenError> {
    if database_url.starts_with("postgres:") || database_url.starts_with("postgresql:") {
        return super::postgres::Address::parse(database_url).map(|address| Address::Postgres(Box::new(address)));
    }
    let path = database_url.strip_prefix("sqlite:").unwrap_or_default();
    // Other programs write `sqlite://PATH`. In-memory databases are refused: several connections could not share one.
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() || path == ":memory:" || path.contains(['\0', '?']) {
        return Err(OpenError::Address);
    }
    Ok(Address::Sqlite(PathBuf::from(path)))
}

/// Returns the address without the password, for messages.
pub fn shown(database_url: &str) -> String {
    match parse(database_url) {
        Ok(Address::Sqlite(_)) => database_url.to_owned(),
        Ok(Address::Postgres(address)) => address.database(),
        Err(_) => "the database".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_password_is_not_shown_wherever_it_stands() {
        for (address, expected) in [
            ("sqlite:some/path.db", "sqlite:some/path.db"),
            ("postgres://ada:word@db:5433/name", "postgres://db:5433/name"),
            ("postgres://ada:word@db:5433,other:5433/name", "postgres://db:5433/name"),
            ("postgres://ada@db/name?password=word&sslmode=require", "postgres://db:5432/name"),
            ("postgres:///name?host=/run/postgresql&password=word", "postgres:///run/postgresql/name"),
            ("postgres://db/name?sslrootcert=missing.pem&password=word", "postgres://db:5432/name"),
            ("word", "the database"),
        ] {
            assert_eq!(shown(address), expected);
        }
    }
}
