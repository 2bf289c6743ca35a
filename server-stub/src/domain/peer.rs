//! Who is at the other end of a connection.

use std::net::IpAddr;

/// The address that a request came from. Behind a reverse proxy that is the proxy's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);
