//! Resolves host names for hooks. Refuses a name if any of its addresses is not allowed. The connection uses exactly the checked
//! addresses, so the name cannot change in between.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, NameServerConfig, ResolverConfig, ResolverOpts};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::system_conf::read_system_conf;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::time::{Instant, timeout};

use super::address::{AddressError, AddressPolicy, AllowedAddresses};

/// Maximum time to resolve a name.
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(2);
/// Time after which the files of the system are read again. Addresses are not cached for longer either.
const CONFIGURATION_LIFETIME: Duration = Duration::from_secs(30);

/// Finds the addresses of a host name.
#[async_trait]
pub trait Lookup: Send + Sync + fmt::Debug {
    /// Returns all current addresses of `name`.
    async fn lookup(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// Resolves names by `/etc/hosts` and the name servers in `/etc/resolv.conf`. Uses no thread while it waits, so a name server that
/// does not respond delays only the names that it is asked for.
#[derive(Debug, Default)]
pub struct SystemLookup {
    /// The resolver, and when it read its files.
    current: Mutex<Option<(Instant, TokioResolver)>>,
}

impl SystemLookup {
    fn resolver(&self) -> io::Result<TokioResolver> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, resolver)) = current.as_ref().filter(|(read_at, _)| read_at.elapsed() < CONFIGURATION_LIFETIME)
        {
            return Ok(resolver.clone());
        }
        // Without name servers, resolv.conf(5) uses the one of this machine.
        let (config, options) = read_system_conf().unwrap_or_else(|_| {
            let local = NameServerConfig::udp_and_tcp(Ipv4Addr::LOCALHOST.into());
            (ResolverConfig::from_parts(None, Vec::new(), vec![local]), ResolverOpts::default())
        });
        let resolver = resolver(config, options)?;
        *current = Some((Instant::now(), resolver.clone()));
        Ok(resolver)
    }
}

#[async_trait]
impl Lookup for SystemLookup {
    async fn lookup(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        addresses(&self.resolver()?, name).await
    }
}

fn resolver(config: ResolverConfig, options: ResolverOpts) -> io::Result<TokioResolver> {
    let mut builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()).with_options(options);
    // The policy checks all addresses of a name.
    builder.options_mut().ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    builder.build().map_err(io::Error::other)
}

async fn addresses(resolver: &TokioResolver, name: &str) -> io::Result<Vec<IpAddr>> {
    Ok(resolver.lookup_ip(name).await.map_err(io::Error::other)?.into_iter().collect())
}

/// Resolver that applies an [`AddressPolicy`].
#[derive(Debug, Clone)]
pub(super) struct VettedResolver {
    pub(super) policy: AddressPolicy,
    pub(super) allowed: AllowedAddresses,
    pub(super) lookup: Arc<dyn Lookup>,
}

/// Why a name has no usable address.
#[derive(Debug, thiserror::Error)]
pub(super) enum ResolveError {
    /// One of its addresses is not allowed.
    #[error(transparent)]
    Refused(#[from] AddressError),
    /// The name could not be resolved.
    #[error("the name cannot be resolved")]
    Unknown(#[from] io::Error),
    /// Name resolution took too long.
    #[error("resolving the name timed out")]
    TimedOut,
}

impl VettedResolver {
    /// Returns the addresses of `name` if all are allowed. Any of them may be used to connect, so one forbidden address refuses the
    /// name.
    pub(super) async fn vet(&self, name: &str) -> Result<Vec<IpAddr>, ResolveError> {
        let found = timeout(RESOLVE_TIMEOUT, self.lookup.lookup(name)).await.map_err(|_| ResolveError::TimedOut)??;
        match found.iter().find(|address| !self.policy.allows(**address, self.allowed)) {
            None => Ok(found),
            Some(address) => {
                log_refused_address(*address);
                Err(ResolveError::Refused(AddressError::Forbidden))
            }
        }
    }
}

/// Logs a refused address for the operator, with the option that would allow it.
pub(super) fn log_refused_address(address: IpAddr) {
    tracing::info!(
        "the destination of a webhook is not allowed; to allow your own network, start the server with --hook-allow-cidr"
    );
    tracing::debug!(%address, "this address is not allowed for hooks");
}

impl Resolve for VettedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let found = resolver.vet(name.as_str()).await?;
            Ok(Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use hickory_resolver::config::ConnectionConfig;
    use tokio::net::UdpSocket;
    use tokio::runtime::Builder;
    use tokio::sync::mpsc;
    use tokio::task::{JoinSet, spawn_blocking};

    use super::*;

    /// Serves as a name server that knows `good.example` and does not respond to other questions. Reports each of those.
    async fn serve_names(socket: UdpSocket, unanswered: mpsc::UnboundedSender<()>) {
        let mut packet = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut packet).await {
            match answer(&packet[..length]) {
                Some(answer) => drop(socket.send_to(&answer, client).await),
                None => drop(unanswered.send(())),
            }
        }
    }

    /// Returns the response to a question about `good.example` (RFC 1035, section 4): one IPv4 address and no IPv6 address.
    fn answer(query: &[u8]) -> Option<Vec<u8>> {
        let name = b"\x04good\x07example\x00";
        let question = query.get(12..12 + name.len() + 4).filter(|question| question.starts_with(name))?;
        let is_ipv4 = question[name.len() + 1] == 1;
        let header = [query[0], query[1], 0x81, 0x80, 0, 1, 0, u8::from(is_ipv4), 0, 0, 0, 0];
        let record: &[u8] = &[0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7];
        Some([&header[..], question, if is_ipv4 { record } else { &[] }].concat())
    }

    #[test]
    fn a_name_server_that_does_not_respond_delays_only_the_names_that_it_is_asked_for() {
        const SLOW: usize = 100;
        let runtime =
            Builder::new_multi_thread().worker_threads(2).max_blocking_threads(2).enable_all().build().unwrap();
        let resolving = async {
            let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
            let address = socket.local_addr().unwrap();
            let (unanswered, mut asked) = mpsc::unbounded_channel();
            let mut serving = JoinSet::new();
            serving.spawn(serve_names(socket, unanswered));
            let mut connection = ConnectionConfig::udp();
            connection.port = address.port();
            let server = NameServerConfig::new(address.ip(), true, vec![connection]);
            let mut options = ResolverOpts::default();
            options.timeout = Duration::from_hours(1);
            let resolver = resolver(ResolverConfig::from_parts(None, Vec::new(), vec![server]), options).unwrap();
            let mut slow = JoinSet::new();
            for number in 0..SLOW {
                let resolver = resolver.clone();
                slow.spawn(async move { addresses(&resolver, &format!("slow-{number}.example")).await });
            }
            for _ in 0..2 * SLOW {
                asked.recv().await.expect("the name server gets a question about each address of each name");
            }
            spawn_blocking(|| ()).await.expect("a thread that may block is free");
            assert_eq!(addresses(&resolver, "good.example").await.unwrap(), [IpAddr::from([192, 0, 2, 7])]);
            assert!(addresses(&resolver, "localhost").await.unwrap().iter().all(IpAddr::is_loopback));
            assert!(slow.try_join_next().is_none(), "they still wait");
        };
        // Turns a hang into a failure.
        runtime.block_on(async { timeout(Duration::from_mins(1), resolving).await.unwrap() });
    }
}
