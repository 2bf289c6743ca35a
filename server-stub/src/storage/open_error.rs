//! Errors of opening a database.

use std::path::PathBuf;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// Reason why a database was not opened. Each message is a sentence that names the fix. The database was not changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is not a supported one. The message omits it, because it may contain a password.
    #[error(
        "the database address is not valid; write sqlite:PATH, for example sqlite:contentgen.db, or \
         postgres://USER:PASSWORD@HOST:PORT/DATABASE"
    )]
    Address,
    /// The `sslmode` is unknown, or too weak for the `sslrootcert`.
    #[error("sslmode={found} in the database address cannot be used; write {expected}")]
    SslMode {
        /// The value.
        found: String,
        /// The values that can be used.
        expected: &'static str,
    },
    /// The trusted certificates cannot be read.
    #[error(
        "sslrootcert={path} in the database address cannot be used; write the path of a PEM file with certificates, or \
         system if this machine has CA certificates"
    )]
    RootCertificates {
        /// The value of the parameter.
        path: String,
        /// The error of the system or of the certificates.
        #[source]
        source: Source,
    },
    /// The folder of the file does not exist.
    #[error("the folder {} for the database does not exist; create it or choose another path", .folder.display())]
    MissingFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The path is not a regular file.
    #[error("{} is not a file; give the path of the database file", .path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The file is not an SQLite database.
    #[error("{} is not an SQLite database; move it away or choose another path", .path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// A database of another program.
    #[error("{database} is a database of another program; choose another database")]
    ForeignDatabase {
        /// The file or the database.
        database: String,
    },
    /// The file is damaged.
    #[error("the database {} is damaged; restore it from a backup", .path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The error of the database engine.
        #[source]
        source: Option<Source>,
    },
    /// A later version of this program wrote the database.
    #[error(
        "the database {database} has schema version {found}, this program supports up to {known}; use a newer version of the program"
    )]
    NewerVersion {
        /// The file or the database.
        database: String,
        /// The version of its schema.
        found: u32,
        /// The newest schema version that this program supports.
        known: u32,
    },
    /// The file cannot be read or written.
    #[error("the database {} cannot be opened; check that you may read and write the file and its folder", .path.display())]
    Unreachable {
        /// The file.
        path: PathBuf,
        /// The error of the system or the database engine.
        #[source]
        source: Source,
    },
    /// Another process serves the file.
    #[error(
        "the database {} is served by another process; stop it first, or use PostgreSQL, which several processes can share",
        .path.display()
    )]
    Served {
        /// The file.
        path: PathBuf,
    },
    /// The database server does not respond.
    #[error("PostgreSQL at {host} does not respond; check that it runs and that host and port of --database are right")]
    PostgresAway {
        /// Host and port.
        host: String,
        /// The error of the system.
        #[source]
        source: Source,
    },
    /// The database server refuses the connection.
    #[error("PostgreSQL at {host} refuses the connection ({reason}); check user, password and database of --database")]
    PostgresRefused {
        /// Host and port.
        host: String,
        /// The server's message.
        reason: String,
    },
    /// A pooler gives each transaction any of its server processes.
    #[error(
        "a pooler before PostgreSQL at {host} shares server processes between transactions, but this program needs its settings, \
         prepared statements and LISTEN in them; connect to PostgreSQL directly, or set pool_mode = session in PgBouncer"
    )]
    Pooler {
        /// Host and port.
        host: String,
    },
    /// The database server is older than the oldest supported version.
    #[error("PostgreSQL at {host} has version {found}, this program needs {oldest} or newer; upgrade it")]
    PostgresTooOld {
        /// Host and port.
        host: String,
        /// Its major version.
        found: u32,
        /// The oldest supported major version.
        oldest: u32,
    },
    /// The encoding of the database does not support all text.
    #[error(
        "the database {database} has the encoding {encoding}, this program needs UTF8; create it with ENCODING 'UTF8'"
    )]
    PostgresEncoding {
        /// The database.
        database: String,
        /// Its encoding.
        encoding: String,
    },
    /// The schema cannot be created.
    #[error(
        "the schema of the database {database} cannot be created ({reason}); grant its user the right to create tables"
    )]
    PostgresSchema {
        /// The database.
        database: String,
        /// The server's message.
        reason: String,
    },
    /// The database can be read, but not written to.
    #[error("the database cannot be written to ({source}); check that it is not read-only and that there is space")]
    NotWritable {
        /// The error of the store.
        #[source]
        source: Source,
    },
    /// The database contains secrets, but the file with their key is missing.
    #[error(
        "the key file {} is missing, and the webhook secrets in the database cannot be read without it; restore the file, or set \
         CONTENTGEN_SECRET_KEY to its key",
        .path.display()
    )]
    LostSecretKey {
        /// The file.
        path: PathBuf,
    },
    /// The secrets were sealed with a different key.
    #[error(
        "the secret key is not the one that encrypted this database; pass the original key with --secret-key-file or in \
         CONTENTGEN_SECRET_KEY"
    )]
    WrongSecretKey,
    /// The file does not contain a key.
    #[error("{} contains no secret key (base64 of 32 bytes); restore it or choose another file with --secret-key-file", .path.display())]
    NoSecretKey {
        /// The file.
        path: PathBuf,
    },
    /// The key file cannot be read or created.
    #[error("the key file {} cannot be read or created ({source}); choose another file with --secret-key-file", .path.display())]
    SecretKeyFile {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
}
