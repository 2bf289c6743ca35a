//! Handling each event once, however often it is sent.

use std::future::Future;

/// Remembers which events were handled.
///
/// A sender repeats a hook until it is answered with a success: for 76 hours in this API, and by hand for two weeks. So
/// an implementation keeps ids for days, and best in the same database and transaction as what was done about them.
/// An event has the same id wherever it is sent, so each endpoint has a guard of its own.
/// [`MemoryReplayGuard`](super::MemoryReplayGuard) is one for programs that can afford to forget when they end.
///
/// ```
/// # async fn example(seen: &impl contentgen_sdk::webhook::ReplayGuard) -> u16 {
/// use contentgen_sdk::webhook::Claim;
///
/// let token = match seen.claim("evt_1").await {
///     Ok(Claim::New(token)) => token,
///     Ok(Claim::Done) => return 204,
///     // Whoever handles it may fail: let it come again.
///     Ok(_) | Err(_) => return 503,
/// };
/// // … handle the event; then:
/// let has_worked = true;
/// if has_worked {
///     let _ = seen.complete("evt_1", token).await;
///     204
/// } else {
///     let _ = seen.release("evt_1", token).await;
///     503
/// }
/// # }
/// ```
pub trait ReplayGuard: Send + Sync {
    /// Why the memory could not be asked.
    type Error;

    /// Takes an event to be handled. A claim that is neither completed nor released ends by itself after a while: a server drops
    /// a handler whose sender has gone, and what it was about is to be handled when it comes again. Give the handler a time limit
    /// below that.
    fn claim(&self, id: &str) -> impl Future<Output = Result<Claim, Self::Error>> + Send;

    /// Says that the event was handled, with the token of the claim. That counts also where the claim has ended meanwhile: what was
    /// done is done. An implementation that records it in the transaction of the handling fails there instead, so that the
    /// transaction is undone.
    fn complete(&self, id: &str, token: ClaimToken) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Gives an event back that could not be handled, so that it is handled when it is sent again. Nothing changes where the claim of
    /// this token has ended: another handler may hold the event. An event that was handled stays so.
    fn release(&self, id: &str, token: ClaimToken) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// Whether an event is to be handled now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// It is, by whoever asked. The token says whose claim it is: `complete` and `release` take it.
    New(ClaimToken),
    /// It is being handled. Answer the hook with an error, such as 503: if handling fails, it has to come again.
    InProgress,
    /// It was handled. Answer the hook with a success and do nothing.
    Done,
}

/// Names one claim of an event, so that a handler whose claim has ended cannot end the claim of the next one.
///
/// It is 128 bits wide: a guard in a database may number its claims, or take a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClaimToken(u128);

impl ClaimToken {
    /// The token of these bits, which no other claim of the event may have.
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// The bits, to be stored with the claim.
    pub const fn to_bits(self) -> u128 {
        self.0
    }
}
