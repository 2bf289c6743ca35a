//! Ends a run early, as with Ctrl-C.

use std::future;

use tokio::sync::watch;

/// Signals a run to end. Undecided requirements are skipped, and registrations are removed.
///
/// The default value never signals.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Option<watch::Receiver<bool>>);

/// Turns an [`Interrupt`] on. If it is dropped unused, the run continues to its end.
#[derive(Debug)]
pub struct InterruptSwitch(watch::Sender<bool>);

impl Interrupt {
    /// Returns an interrupt and its switch.
    pub fn new() -> (InterruptSwitch, Self) {
        let (sender, receiver) = watch::channel(false);
        (InterruptSwitch(sender), Self(Some(receiver)))
    }

    /// Returns true if the run must end.
    pub fn is_on(&self) -> bool {
        self.0.as_ref().is_some_and(|receiver| *receiver.borrow())
    }

    /// Returns once the run must end.
    pub async fn turned_on(&self) {
        let Some(mut receiver) = self.0.clone() else { return future::pending().await };
        if receiver.wait_for(|is_on| *is_on).await.is_err() {
            future::pending::<()>().await;
        }
    }
}

impl InterruptSwitch {
    /// Ends the run.
    pub fn turn_on(&self) {
        self.0.send_replace(true);
    }
}
