//! Ctrl-C, and being told to end by the system.

use crate::failure::Failure;

/// Ends when somebody interrupts the program. It is watched for from the call on, not only once it is awaited.
#[cfg(unix)]
pub(super) fn interrupted() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    async move {
        let (Ok(mut interrupt), Ok(mut terminate)) = signals else {
            // Where signals cannot be watched for, the program ends by them anyway.
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
}

/// Ends when somebody interrupts the program.
#[cfg(not(unix))]
pub(super) async fn interrupted() {
    // Where interrupts cannot be watched for, the program ends by them anyway.
    let _interrupted = tokio::signal::ctrl_c().await;
}

/// A command that ends when it is interrupted, and takes with it what it had half written.
pub(super) async fn ends(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let interrupted = interrupted();
    tokio::select! {
        // What the work itself has to say about an interrupt is said first.
        biased;
        outcome = work => outcome,
        () = interrupted => Err(Failure::interrupted(None)),
    }
}
