//! Outgoing webhooks: address rules, signing, sending and the dispatcher loop. See `domain` for events and retries.

mod address;
mod capacity;
mod claims;
mod destination_checker;
mod rate_limit;
mod receiver_response;
mod recorder;
mod resolver;
mod runner;
mod sender;
mod signer;
mod tuning;

pub use address::{AddressError, AddressPolicy, AllowedAddresses, Destination};
pub use claims::Dispatcher;
pub use destination_checker::DestinationChecker;
pub use receiver_response::retry_after;
pub use resolver::{Lookup, SystemLookup};
pub use sender::{NotSent, SendFailure, Sender, Sent, SignedRequest};
pub use signer::signature;
pub use tuning::Tuning;
