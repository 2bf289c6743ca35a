//! A run that a signal ends early: its registrations are removed, and its results are shown.

use super::signals;
use crate::report::Terminal;
use crate::runner::{InterruptSwitch, Run, SetUpError};

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
            () = signals::asked_to_end(), if !is_interrupted => {
                is_interrupted = true;
                switch.turn_on();
                terminal.note(note);
            }
            () = signals::asked_to_end(), if is_interrupted => return Ok(Ended::AtOnce),
        }
    }
}
