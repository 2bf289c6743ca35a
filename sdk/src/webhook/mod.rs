//! Verifies and reads hooks from their headers and raw bytes. The application receives them.
//!
//! ```
//! # fn example(headers: &http::HeaderMap, body: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
//! use contentgen_sdk::webhook::{HookEvent, Verifier};
//!
//! let verifier = Verifier::new(["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"])?;
//! let hook = verifier.verify(headers, body)?;
//! match hook.event()? {
//!     HookEvent::ArticlePublished(event) => println!("published: {:?}", event.data.article.url),
//!     HookEvent::LeadCaptured(event) => println!("a lead: {}", event.data.lead.id),
//!     other => println!("{}, which this program does not need", other.event_type()),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Give the verifier the bytes as they were received: a body that was parsed and serialized again has another signature.
//! The same hook may arrive more than once. [`Verified::id`] is the same each time, and [`ReplayGuard::handle`] handles it once.

mod error;
mod event;
#[cfg(feature = "axum")]
mod extract;
mod handled;
mod mac;
#[cfg(feature = "axum")]
mod rejection;
mod replay;
mod replay_memory;
mod secret;
mod signature;
mod verified;
mod verifier;

pub use crate::generated::types::HookEvent;
pub use error::{EventError, SecretError, VerifyError};
pub use handled::Handled;
#[cfg(feature = "axum")]
pub use rejection::HookRejection;
pub use replay::{Claim, ClaimToken, ReplayGuard};
pub use replay_memory::MemoryReplayGuard;
#[cfg(feature = "test-util")]
pub(crate) use secret::Secret;
pub use verified::Verified;
pub use verifier::Verifier;
