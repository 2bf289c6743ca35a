//! Hints between processes: `NOTIFY` after a change, `LISTEN` for those of others. They only save waiting for the next poll; one
//! that is lost costs nothing else.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_postgres::{AsyncMessage, Client};

use crate::clock::SlewedClock;
use crate::domain::backoff::Backoff;
use crate::storage::backend::Hint;
use crate::wakeups::Wakeups;

use super::address::Address;
use super::connection::{connect, runtime, time};

/// The channel's name.
const CHANNEL: &str = "contentgen";
/// Most hints that may wait to be sent. Further ones are dropped.
const QUEUE_CAPACITY: usize = 1024;
/// How often the database is asked for its time.
const CLOCK_INTERVAL: Duration = Duration::from_secs(5);
/// Most bytes of one notification. PostgreSQL takes less than 8000.
const MAX_MESSAGE_BYTES: usize = 7000;

/// A thread with a connection for hints, which also reads the database's time. It ends when this is dropped.
pub(super) struct Hints {
    queue: Option<mpsc::Sender<Hint>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Hints {
    /// Starts the thread.
    pub(super) fn start(address: &Address, wakeups: Arc<Wakeups>, clock: Option<Arc<SlewedClock>>) -> io::Result<Self> {
        let (queue, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let address = address.clone();
        let thread = Builder::new()
            .name("postgres-hints".to_owned())
            .spawn(move || runtime().block_on(run(&address, &wakeups, clock.as_deref(), waiting)))?;
        Ok(Self { queue: Some(queue), thread: Mutex::new(Some(thread)) })
    }

    /// Sends a hint to the other processes, soon and if possible.
    pub(super) fn send(&self, hint: Hint) {
        if let Some(queue) = &self.queue {
            // When the queue is full the hint is dropped: others find the work with their next poll.
            drop(queue.try_send(hint));
        }
    }
}

impl Drop for Hints {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            drop(thread.join());
        }
    }
}

impl fmt::Debug for Hints {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Hints").finish_non_exhaustive()
    }
}

async fn run(
    address: &Address,
    wakeups: &Arc<Wakeups>,
    clock: Option<&SlewedClock>,
    mut waiting: mpsc::Receiver<Hint>,
) {
    let mut backoff = Backoff::default();
    loop {
        if let Ok(client) = listen(address, wakeups).await {
            backoff.reset();
            // Hints may have been missed while nobody listened.
            wake_all(wakeups);
            if serve(&client, clock, &mut waiting).await {
                return;
            }
        }
        let pause = sleep(backoff.next_pause());
        tokio::pin!(pause);
        loop {
            tokio::select! {
                () = &mut pause => break,
                hint = waiting.recv() => if hint.is_none() { return },
            }
        }
    }
}

/// Connects and listens. A notification wakes the tasks that it is for.
async fn listen(address: &Address, wakeups: &Arc<Wakeups>) -> Result<Client, tokio_postgres::Error> {
    let wakeups = Arc::clone(wakeups);
    let client = connect(address, move |message| wake(&wakeups, &message)).await?;
    client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
    Ok(client)
}

/// Sends hints until the connection breaks; `true` when no more can come.
async fn serve(client: &Client, clock: Option<&SlewedClock>, waiting: &mut mpsc::Receiver<Hint>) -> bool {
    let mut clock_tick = interval(CLOCK_INTERVAL);
    clock_tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let mut hints = Vec::new();
        tokio::select! {
            count = waiting.recv_many(&mut hints, QUEUE_CAPACITY) => if count == 0 { return true },
            _ = clock_tick.tick() => match time(client).await {
                // This also checks that the connection is alive.
                Ok(now) => if let Some(clock) = clock { clock.tell(now) },
                Err(_) => return false,
            },
        }
        for message in messages(hints) {
            if client.execute("SELECT pg_notify($1, $2)", &[&CHANNEL, &message]).await.is_err() {
                return false;
            }
        }
    }
}

/// The hints in as few messages as possible, without duplicates.
fn messages(hints: Vec<Hint>) -> Vec<String> {
    let mut lines: Vec<String> = hints
        .into_iter()
        .map(|hint| match hint {
            Hint::Jobs => "jobs".to_owned(),
            Hint::Posts => "posts".to_owned(),
            Hint::Deliveries => "deliveries".to_owned(),
            Hint::JobEnded(job_id) => format!("ended {job_id}"),
        })
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let mut messages: Vec<String> = Vec::new();
    for line in lines {
        match messages.last_mut() {
            Some(message) if message.len() + line.len() < MAX_MESSAGE_BYTES => {
                message.push('\n');
                message.push_str(&line);
            }
            _ => messages.push(line),
        }
    }
    messages
}

fn wake(wakeups: &Wakeups, message: &AsyncMessage) {
    let AsyncMessage::Notification(notification) = message else { return };
    for line in notification.payload().lines() {
        match line.split_once(' ') {
            None if line == "jobs" => wakeups.jobs.notify_one(),
            None if line == "posts" => wakeups.posts.notify_one(),
            None if line == "deliveries" => wakeups.deliveries.notify_one(),
            Some(("ended", job_id)) => wakeups.job_ended(job_id),
            // A later version may send other hints.
            _ => {}
        }
    }
}

fn wake_all(wakeups: &Wakeups) {
    wakeups.jobs.notify_one();
    wakeups.posts.notify_one();
    wakeups.deliveries.notify_one();
    wakeups.watched_jobs.notify_one();
}
