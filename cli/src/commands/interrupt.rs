//! Ctrl-C, and being told to end by the system.

use crate::failure::{Failure, Signal};

/// Ends when somebody interrupts the program. It is watched for from the call on, not only once it is awaited.
#[cfg(unix)]
pub(super) fn interrupted() -> impl Future<Output = Signal> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    async move {
        let (Ok(mut interrupt), Ok(mut terminate)) = signals else {
            // Where signals cannot be watched for, the program ends by them anyway.
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => Signal::Interrupt,
            _ = terminate.recv() => Signal::Terminate,
        }
    }
}

/// Ends when somebody interrupts the program.
#[cfg(not(unix))]
pub(super) async fn interrupted() -> Signal {
    // Where interrupts cannot be watched for, the program ends by them anyway.
    let _interrupted = tokio::signal::ctrl_c().await;
    Signal::Interrupt
}

/// A command that ends when it is interrupted, and takes with it what it had half written.
pub(super) async fn ends(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let interrupted = interrupted();
    tokio::select! {
        // What the work itself has to say about an interrupt is said first.
        biased;
        outcome = work => outcome,
        signal = interrupted => Err(Failure::stopped(signal)),
    }
}
