//! Handles each event once, even if it is sent several times.

use std::future::Future;

use super::{Handled, Verified};

/// Remembers the events that were handled.
///
/// A sender retries a hook until it gets a success: for 76 hours by default, for up to 25 days if its operator configures that, and by
/// hand for two weeks. So an implementation keeps ids for 30 days, best in the same database and transaction as the effects of the events.
/// An event has the same id at every endpoint, so each endpoint needs a separate guard.
/// [`MemoryReplayGuard`](super::MemoryReplayGuard) suits programs that may forget the ids when they end.
///
/// ```
/// # async fn example(
/// #     verifier: &contentgen_sdk::webhook::Verifier,
/// #     seen: &impl contentgen_sdk::webhook::ReplayGuard<Error = std::io::Error>,
/// #     headers: &http::HeaderMap,
/// #     body: &[u8],
/// # ) -> http::StatusCode {
/// use contentgen_sdk::webhook::{EventError, Handled};
///
/// let Ok(hook) = verifier.verify(headers, body) else { return http::StatusCode::BAD_REQUEST };
/// let work = async {
///     println!("{}", hook.event()?.event_type());
///     Ok::<(), EventError>(())
/// };
/// let handled = seen.handle(&hook, work).await;
/// if let Handled::Failed(error) = &handled {
///     eprintln!("{} must be sent again: {error}", hook.id());
/// }
/// handled.status()
/// # }
/// ```
pub trait ReplayGuard: Send + Sync {
    /// Error of the guard's storage.
    type Error;

    /// Claims an event for handling. A claim that is neither completed nor released expires after a while: a server drops a handler whose
    /// sender has disconnected, and the retry of that event must then be handled. Give the handler a shorter time limit than that.
    fn claim(&self, id: &str) -> impl Future<Output = Result<Claim, Self::Error>> + Send;

    /// Marks the event as handled, with the token of the claim. It counts even if the claim has expired: the work is done. An
    /// implementation that records it in the transaction of the handling fails in that case instead, so that the transaction is rolled
    /// back.
    fn complete(&self, id: &str, token: ClaimToken) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Releases an event that could not be handled, so that a retry is handled. Does nothing if the claim of this token has expired,
    /// because another handler may hold the event. A handled event stays handled.
    fn release(&self, id: &str, token: ClaimToken) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Handles a hook once: claims its event and waits for `work`. Then completes the claim, or releases it if the work failed. `work` is
    /// not started if the event was handled before or is being handled. Answer the hook with [`Handled::status`].
    fn handle<E: Send>(
        &self,
        hook: &Verified,
        work: impl Future<Output = Result<(), E>> + Send,
    ) -> impl Future<Output = Handled<E, Self::Error>> + Send
    where
        Self::Error: Send,
    {
        async move {
            let token = match self.claim(hook.id()).await {
                Ok(Claim::New(token)) => token,
                Ok(Claim::Done) => return Handled::Before,
                Ok(Claim::InProgress) => return Handled::InProgress,
                Err(error) => return Handled::GuardFailed(error),
            };
            match work.await {
                Ok(()) => match self.complete(hook.id(), token).await {
                    Ok(()) => Handled::Now,
                    Err(error) => Handled::GuardFailed(error),
                },
                Err(error) => {
                    // If this fails, the claim ends by itself after a while.
                    let _released = self.release(hook.id(), token).await;
                    Handled::Failed(error)
                }
            }
        }
    }
}

/// Result of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// The caller must handle the event. The token identifies the claim: `complete` and `release` take it.
    New(ClaimToken),
    /// Another handler is working on the event. Answer the hook with an error, such as 503: if handling fails, a retry is needed.
    InProgress,
    /// The event was handled. Answer the hook with a success and do nothing.
    Done,
}

/// Identifies one claim of an event, so that a handler whose claim has expired cannot end a later claim.
///
/// It is 128 bits wide: a guard in a database may number its claims or use a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClaimToken(u128);

impl ClaimToken {
    /// Makes a token from bits, which no other claim of the event may have.
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// Returns the bits, to be stored with the claim.
    pub const fn to_bits(self) -> u128 {
        self.0
    }
}
