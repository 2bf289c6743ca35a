//! Ending a run before its end, as with Ctrl-C.

use std::future;

use tokio::sync::watch;

/// Tells a run to end: what is not decided by then is skipped, and what was registered is taken back.
///
/// The default one never does.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Option<watch::Receiver<bool>>);

/// Turns an [`Interrupt`] on; dropped unused, the run goes on to its end.
#[derive(Debug)]
pub struct InterruptSwitch(watch::Sender<bool>);

impl Interrupt {
    /// An interrupt and its switch.
    pub fn new() -> (InterruptSwitch, Self) {
        let (sender, receiver) = watch::channel(false);
        (InterruptSwitch(sender), Self(Some(receiver)))
    }

    /// Whether the run shall end.
    pub fn is_on(&self) -> bool {
        self.0.as_ref().is_some_and(|receiver| *receiver.borrow())
    }

    /// Returns once the run shall end.
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
