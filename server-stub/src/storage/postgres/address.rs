//! A PostgreSQL address, and its form without the password for messages.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr as _;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{self, Host};
use tokio_postgres_rustls::MakeRustlsConnect;
use url::form_urlencoded;

use crate::storage::OpenError;

use super::tls::SslMode;

/// Maximum time to connect, unless the address sets another.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// TCP keep-alive: time without traffic before the peer is probed, and before a silent peer is given up.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Address of a database.
#[derive(Clone)]
pub(in crate::storage) struct Address {
    pub(super) config: Config,
    /// Makes encrypted connections. `None` for connections that are not encrypted.
    pub(super) tls: Option<MakeRustlsConnect>,
    ssl_mode: SslMode,
    /// Value of `sslrootcert`.
    roots: Option<String>,
}

impl Address {
    /// Parses `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the parameters of libpq after a question mark. Before
    /// connecting, call [`Address::read_certificates`].
    pub(in crate::storage) fn parse(text: &str) -> Result<Self, OpenError> {
        let (others, parameters) = split(text);
        let mut config = Config::from_str(&others).map_err(|_| OpenError::Address)?;
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
        let roots = parameters.ssl_root_cert;
        let ssl_mode = SslMode::parse(parameters.ssl_mode.as_deref(), roots.as_deref())?;
        config.ssl_mode(match ssl_mode {
            SslMode::Disabled | SslMode::Allowed => config::SslMode::Disable,
            SslMode::AnyHost | SslMode::SameHost => config::SslMode::Require,
        });
        Ok(Self { config, tls: None, ssl_mode, roots })
    }

    /// Reads the file that `sslrootcert` names, if connections are encrypted.
    pub(in crate::storage) fn read_certificates(&mut self) -> Result<(), OpenError> {
        self.tls = self.ssl_mode.tls(self.roots.as_deref())?.map(MakeRustlsConnect::new);
        Ok(())
    }

    /// Returns true if connections to another machine are not encrypted, and the address does not demand that.
    pub(super) fn is_exposed(&self) -> bool {
        let is_local = |name: &str| name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        let mut hosts = self.config.get_hosts().iter();
        // An IP address of `hostaddr` is used instead of the host.
        let is_on_this_machine = match self.config.get_hostaddrs() {
            [] => hosts.all(|host| match host {
                Host::Tcp(name) => is_local(name),
                #[cfg(unix)]
                Host::Unix(_) => true,
            }),
            addresses => addresses.iter().all(IpAddr::is_loopback),
        };
        self.ssl_mode == SslMode::Allowed && !is_on_this_machine
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

/// Separates the parameters of TLS, which `tokio_postgres` does not know, from the rest of the address.
fn split(text: &str) -> (String, TlsParameters) {
    // A password before the host may contain a question mark.
    let host = text.find('@').unwrap_or(0);
    let (place, query) = match text[host..].find('?') {
        Some(position) => (&text[..host + position], &text[host + position + 1..]),
        None => (text, ""),
    };
    let mut tls = TlsParameters::default();
    let others: Vec<_> = query.split('&').filter(|parameter| !tls.take(parameter)).collect();
    (format!("{place}?{}", others.join("&")), tls)
}

#[derive(Default)]
struct TlsParameters {
    ssl_mode: Option<String>,
    ssl_root_cert: Option<String>,
}

impl TlsParameters {
    /// Returns false if `parameter` is a different one.
    fn take(&mut self, parameter: &str) -> bool {
        // In an address, unlike in a form, a plus sign is no space.
        let escaped = parameter.replace('+', "%2B");
        let (name, value) = form_urlencoded::parse(escaped.as_bytes()).next().unwrap_or_default();
        match &*name {
            "sslmode" => self.ssl_mode = Some(value.into_owned()),
            "sslrootcert" => self.ssl_root_cert = Some(value.into_owned()),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        let (others, TlsParameters { ssl_mode, ssl_root_cert }) = split(text);
        format!("{others} {} {}", ssl_mode.unwrap_or_default(), ssl_root_cert.unwrap_or_default())
    }

    #[test]
    fn parameters_of_tls_are_separated() {
        for (text, expected) in [
            ("postgres://host/name", "postgres://host/name?  "),
            ("postgres://host?sslmode=require", "postgres://host? require "),
            ("postgres://a:b?c@host/name?sslmode=allow", "postgres://a:b?c@host/name? allow "),
            ("postgres://a:b?sslmode=x@host/name", "postgres://a:b?sslmode=x@host/name?  "),
            ("postgres://host/?a=1&sslmode=x&b=%20+2", "postgres://host/?a=1&b=%20+2 x "),
            ("postgres://host/?ssl%6Dode=verify%2Dca&sslrootcert=%2Fa+b%20c", "postgres://host/? verify-ca /a+b c"),
            ("postgres://host/?sslmode=x&sslmode=y&sslmodes=z", "postgres://host/?sslmodes=z y "),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    proptest! {
        #[test]
        fn an_unknown_mode_never_connects_without_encryption(mode in "[a-z-]{0,12}") {
            let known = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"].contains(&mode.as_str());
            let parsed = Address::parse(&format!("postgres://host/name?connect_timeout=1&sslmode={mode}"));
            prop_assert_eq!(parsed.is_ok(), known);
        }
    }

    #[test]
    fn an_address_says_whether_the_connection_is_encrypted_and_checked() {
        for (text, is_encrypted, is_exposed) in [
            ("postgres://db.example.com/name", false, true),
            ("postgres://db.example.com/name?sslmode=prefer", false, true),
            ("postgres://db.example.com/name?sslmode=disable", false, false),
            ("postgres://localhost/name?sslmode=allow", false, false),
            ("postgres://127.0.0.1,[::1]:5433/name", false, false),
            ("postgres://127.0.0.1,192.0.2.1/name", false, true),
            ("postgres:///name?host=/run/postgresql", false, false),
            ("postgres://db.example.com/name?hostaddr=127.0.0.1", false, false),
            ("postgres://localhost/name?hostaddr=192.0.2.1", false, true),
            ("postgres://db.example.com/name?sslmode=require", true, false),
            ("postgres://db.example.com/name?sslrootcert=system", true, false),
        ] {
            let mut address = Address::parse(text).unwrap();
            address.read_certificates().unwrap();
            let is_required = address.config.get_ssl_mode() == config::SslMode::Require;
            let found = (address.tls.is_some(), is_required, address.is_exposed());
            assert_eq!(found, (is_encrypted, is_encrypted, is_exposed), "{text}");
        }
    }
}
