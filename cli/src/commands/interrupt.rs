//! Ctrl-C, and being told to end by the system.

use crate::failure::Failure;

/// Ends when somebody interrupts the program.
pub(super) async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    // Where interrupts cannot be watched for, the program ends by them anyway.
    let _interrupted = tokio::signal::ctrl_c().await;
}

/// A command that ends when it is interrupted, and takes with it what it had half written.
pub(super) async fn ends(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    tokio::select! {
        // What the work itself has to say about an interrupt is said first.
        biased;
        outcome = work => outcome,
        () = interrupted() => Err(Failure::interrupted(None)),
    }
}
