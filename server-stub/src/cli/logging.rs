//! Writes log lines to standard error, as text or JSON, each with its request. A separate thread writes them, so that a slow
//! reader delays no request. Logs never contain keys, bodies, queries or personal data.

use std::io::{BufWriter, IsTerminal as _, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::failure::{Exit, Failure};
use crate::config::LogFormat;

/// Maximum number of lines that wait to be written, a few MiB. Further ones are dropped.
const MAX_WAITING_LINES: usize = 16 * 1024;
/// Size of the write buffer in bytes.
const WRITE_BYTES: usize = 64 * 1024;
/// Time between two checks for dropped lines.
const DROP_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of tries to report dropped lines at the end of the log, [`LAST_PAUSE`] apart: one second in total.
const LAST_TRIES: u32 = 100;
const LAST_PAUSE: Duration = Duration::from_millis(10);

/// The log of this process. Dropping it, also during a panic, writes the waiting lines, for up to two seconds.
#[derive(Debug)]
pub(super) struct Log {
    dropped_lines: ErrorCounter,
    told: AtomicUsize,
    _writing: WorkerGuard,
}

impl Log {
    /// Returns a log and its writer, which writes lines to `output` as long as the log lives.
    fn to(output: impl Write + Send + 'static) -> (Self, NonBlocking) {
        let (writer, writing) = NonBlockingBuilder::default()
            .lossy(true)
            .buffered_lines_limit(MAX_WAITING_LINES)
            .thread_name("log")
            .finish(BufWriter::with_capacity(WRITE_BYTES, output));
        (Self { dropped_lines: writer.error_counter(), told: AtomicUsize::new(0), _writing: writing }, writer)
    }

    /// Returns the counter of dropped lines.
    pub(super) fn dropped_lines(&self) -> ErrorCounter {
        self.dropped_lines.clone()
    }

    /// Reports dropped lines, for ever.
    pub(super) async fn follow(&self) {
        loop {
            tokio::time::sleep(DROP_INTERVAL).await;
            self.tell_dropped();
        }
    }

    /// Reports the total number of dropped lines, if it has grown since the last report. If this line is dropped too, the
    /// next report includes it.
    fn tell_dropped(&self) {
        let lines = self.dropped_lines.dropped_lines();
        if lines > self.told.swap(lines, Ordering::Relaxed) {
            tracing::warn!(
                lines,
                "log lines were dropped because standard error was read too slowly; `lines` is the total since the start"
            );
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        // While the queue is full, this report is dropped too.
        for _ in 0..LAST_TRIES {
            self.tell_dropped();
            if self.told.load(Ordering::Relaxed) == self.dropped_lines.dropped_lines() {
                break;
            }
            std::thread::sleep(LAST_PAUSE);
        }
    }
}

/// Starts logging. Keeps the existing log if the process has one, for example in a test that runs several commands.
pub(super) fn start(filter: &str, format: LogFormat) -> Result<Log, Failure> {
    let filter = EnvFilter::builder().parse(filter).map_err(|error| {
        let message = format!(
            "--log {filter:?} is not a valid filter ({error}); write it like info or contentgen_server_stub=debug"
        );
        Failure::new(Exit::Usage, message)
    })?;
    let registry = tracing_subscriber::registry().with(filter);
    let (log, writer) = Log::to(std::io::stderr());
    let lines = tracing_subscriber::fmt::layer().with_writer(writer);
    let started = match format {
        LogFormat::Text => registry.with(lines.with_ansi(std::io::stderr().is_terminal())).try_init(),
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true).with_current_span(true).with_span_list(false);
            registry.with(lines).try_init()
        }
    };
    drop(started);
    // A panic's message may contain processed data. Its location is enough to find it.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a task panicked");
    }));
    Ok(log)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Condvar, Mutex, MutexGuard};
    use std::time::Instant;

    use super::*;

    /// The written text, and a lock that blocks further writes.
    #[derive(Clone, Default)]
    struct Output(Arc<(Mutex<String>, Condvar)>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.lock().push_str(std::str::from_utf8(bytes).unwrap());
            self.0.1.notify_all();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Output {
        fn lock(&self) -> MutexGuard<'_, String> {
            self.0.0.lock().unwrap()
        }

        /// Returns the text that was written by the end of a log. `took` is the time that the log took to end.
        fn at_end(&self, took: Duration, is_wanted: impl Fn(&str) -> bool) -> MutexGuard<'_, String> {
            if took >= WRITER_IS_LATE {
                return self.once(is_wanted);
            }
            let written = self.lock();
            assert!(is_wanted(&written), "{written}");
            written
        }

        /// Waits until another thread has written the wanted text, and returns it.
        fn once(&self, is_wanted: impl Fn(&str) -> bool) -> MutexGuard<'_, String> {
            let is_missing = |written: &mut String| !is_wanted(written);
            let (written, waited) = self.0.1.wait_timeout_while(self.lock(), GIVE_UP_AFTER, is_missing).unwrap();
            assert!(!waited.timed_out(), "gave up waiting: {written}");
            written
        }
    }

    /// Turns a hang into a failure with a message.
    const GIVE_UP_AFTER: Duration = Duration::from_mins(5);
    /// Time after which an ending log may have stopped waiting for its writer. Then the last lines may be written later.
    const WRITER_IS_LATE: Duration = Duration::from_secs(1);

    /// Runs `work` with a log that writes to `output`. Returns the time that the log took to end.
    fn logging(output: &Output, work: impl FnOnce(&Log)) -> Duration {
        let (log, writer) = Log::to(output.clone());
        let lines = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), move || {
            work(&log);
            let begun = Instant::now();
            drop(log);
            begun.elapsed()
        })
    }

    #[test]
    fn the_line_before_a_panic_is_written() {
        let output = Output::default();
        let panicking = output.clone();
        let panicked = std::thread::spawn(move || {
            logging(&panicking, |_| {
                tracing::info!("the last words");
                panic!("on purpose");
            })
        });
        let begun = Instant::now();
        assert!(panicked.join().is_err());
        drop(output.at_end(begun.elapsed(), |written| written.contains("the last words")));
    }

    #[test]
    fn every_line_is_written_or_counted_as_dropped() {
        let counted = |written: &str| written.lines().filter(|line| line.contains("counted")).count();
        let output = Output::default();
        let lines = MAX_WAITING_LINES * 2;
        let mut dropped = 0;
        let took = logging(&output, |log| {
            let blocked = output.lock();
            for line in 0..lines {
                tracing::info!(line, "counted");
            }
            dropped = log.dropped_lines().dropped_lines();
            drop(blocked);
            // Now the queue has room for the report of dropped lines.
            drop(output.once(|written| counted(written) == lines - dropped));
        });
        assert!(dropped > 0);
        let written = output.at_end(took, |written| written.contains("were dropped"));
        assert_eq!(counted(&written), lines - dropped);
        let told = written.lines().rfind(|line| line.contains("were dropped")).unwrap();
        let told: usize = told.rsplit_once("lines=").unwrap().1.parse().unwrap();
        // The first report may itself have been dropped.
        assert!(told >= dropped, "{told} of {dropped}");
    }
}
