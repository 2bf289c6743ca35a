//! Progress of a job on a terminal.

use std::time::Duration;

use contentgen_sdk::types::Job;
use indicatif::{ProgressBar, ProgressStyle};

use super::Screen;
use crate::text::on_one_line;

/// A progress bar on standard error, removed when dropped. Hidden without a terminal.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Makes a bar at the start.
    pub(crate) fn start(screen: Screen) -> Self {
        if !screen.is_watched() {
            return Self(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("{spinner} {msg} {bar:32} {percent:>3}% {elapsed}");
        let bar = ProgressBar::new(100).with_style(style.expect("the template is well-formed"));
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }

    /// Shows the state and progress of a job.
    pub(crate) fn show(&self, job: &Job) {
        self.0.set_message(on_one_line(job.status.as_str()));
        self.0.set_position(u64::from(job.progress.unwrap_or_default()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
