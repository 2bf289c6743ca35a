//! Ctrl-C and termination signals.

use crate::failure::{Failure, Signal};

/// Completes when the program is interrupted. Registers the handlers when called, not when first polled.
#[cfg(unix)]
pub(super) fn interrupted() -> impl Future<Output = Signal> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    async move {
        let (Ok(mut interrupt), Ok(mut terminate)) = signals else {
            // If handlers cannot be registered, the signals end the program anyway.
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => Signal::Interrupt,
            _ = terminate.recv() => Signal::Terminate,
        }
    }
}

/// Completes when the user interrupts the program.
#[cfg(not(unix))]
pub(super) async fn interrupted() -> Signal {
    // If the handler cannot be registered, an interrupt ends the program anyway.
    let _interrupted = tokio::signal::ctrl_c().await;
    Signal::Interrupt
}

/// Runs a command until it ends or is interrupted. An interrupt drops the command with its unfinished files.
pub(super) async fn ends(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let interrupted = interrupted();
    tokio::select! {
        // If both are ready, the command's own result of the interrupt takes precedence.
        biased;
        outcome = work => outcome,
        signal = interrupted => Err(Failure::stopped(signal)),
    }
}
