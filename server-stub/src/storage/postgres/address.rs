//! A PostgreSQL address, and its form without the password for messages.

use std::fmt;
use std::str::FromStr as _;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use crate::storage::OpenError;

/// Maximum time to connect, unless the address sets another.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// TCP keep-alive: time without traffic before the peer is probed, and before a silent peer is given up.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Address of a database.
#[derive(Clone)]
pub(in crate::storage) struct Address {
    pub(super) config: Config,
}

impl Address {
    /// Parses `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the parameters of libpq after a question mark.
    pub(in crate::storage) fn parse(text: &str) -> Result<Self, OpenError> {
        let mut config = Config::from_str(text).map_err(|_| OpenError::Address)?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(OpenError::Address);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(KEEP_ALIVE);
        }
        if config.get_application_name().is_none() {
            config.application_name("contentgen-server");
        }
        config.keepalives_idle(KEEP_ALIVE);
        if config.get_ssl_mode() != SslMode::Require {
            config.ssl_mode(SslMode::Disable);
        }
        Ok(Self { config })
    }

    /// Returns true if the connection is encrypted: with `sslmode=require`, which also checks the server's certificate.
    /// Optional encryption without this check would not protect the connection.
    pub(super) fn is_encrypted(&self) -> bool {
        self.config.get_ssl_mode() == SslMode::Require
    }

    /// Returns host and port.
    pub(super) fn host(&self) -> String {
        let port = self.config.get_ports().first().copied().unwrap_or(5432);
        match self.config.get_hosts().first() {
            Some(Host::Tcp(name)) => format!("{name}:{port}"),
            #[cfg(unix)]
            Some(Host::Unix(path)) => path.display().to_string(),
            None => self.config.get_hostaddrs().first().map_or_else(String::new, |address| format!("{address}:{port}")),
        }
    }

    /// Returns host, port and database.
    pub(in crate::storage) fn database(&self) -> String {
        let name = self.config.get_dbname().or_else(|| self.config.get_user()).unwrap_or_default();
        format!("postgres://{}/{name}", self.host())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.database())
    }
}
