//! The signals that end a command. A run that a signal ends early still removes its registrations and shows its results.

use crate::report::Terminal;
use crate::runner::{InterruptSwitch, Run, SetUpError};

/// Returns once this process is asked to end: by Ctrl-C, or on Unix by SIGTERM, as a CI does that cancels a job.
async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminated.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    // If signals cannot be handled, the system ends the process in its default way.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// End of a run.
pub(super) enum Ended {
    /// Normally, or after one signal.
    Run { run: Box<Run>, is_interrupted: bool },
    /// Immediately, by a second signal.
    AtOnce,
}

/// Awaits `running`. The first signal turns on `switch` and prints `note`.
pub(super) async fn awaited(
    running: impl Future<Output = Result<Run, SetUpError>>,
    switch: &InterruptSwitch,
    terminal: &Terminal,
    note: &str,
) -> Result<Ended, SetUpError> {
    tokio::pin!(running);
    let mut is_interrupted = false;
    loop {
        tokio::select! {
            run = &mut running => return Ok(Ended::Run { run: Box::new(run?), is_interrupted }),
            () = asked_to_end(), if !is_interrupted => {
                is_interrupted = true;
                switch.turn_on();
                terminal.note(note);
            }
            () = asked_to_end(), if is_interrupted => return Ok(Ended::AtOnce),
        }
    }
}
