//! Announcements between processes: `NOTIFY` after a change, `LISTEN` for those of other processes. They only save
//! waiting for the next poll, so a lost one does no harm.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client};
use tokio_util::sync::CancellationToken;

use crate::clock::SlewedClock;
use crate::domain::backoff::Backoff;
use crate::domain::error_chain::ErrorChain;
use crate::wakeups::{Announcement, Wakeups};

use super::address::Address;
use super::connection::{CONNECT_TIMEOUT, RESPONSE_TIMEOUT, connect, runtime, time, within};
use super::error::ConnectionError;
use super::threads::Threads;

/// Name of the channel.
const CHANNEL: &str = "contentgen";
/// Maximum number of announcements that wait to be sent. Further ones are dropped.
const QUEUE_CAPACITY: usize = 1024;
/// Time between two reads of the database's time.
const CLOCK_INTERVAL: Duration = Duration::from_secs(5);
/// Maximum size of one notification in bytes. PostgreSQL allows less than 8000.
const MAX_MESSAGE_BYTES: usize = 7000;

/// A queue of announcements. A thread with a connection sends them, and also reads the database's time.
pub(super) struct Announcements {
    queue: mpsc::Sender<Announcement>,
}

impl Announcements {
    /// Starts the thread. It ends when this is dropped.
    pub(super) fn start(
        threads: &Threads,
        address: &Address,
        wakeups: Arc<Wakeups>,
        clock: Option<Arc<SlewedClock>>,
    ) -> io::Result<Self> {
        let (queue, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let (address, cut_off, runtime) = (address.clone(), threads.cut_off(), runtime()?);
        let mut listener = Listener { address, wakeups, clock, waiting, cut_off };
        threads.start("announcer", move || runtime.block_on(listener.run()))?;
        Ok(Self { queue })
    }

    /// Sends an announcement to the other processes, without a guarantee.
    pub(super) fn send(&self, announcement: Announcement) {
        // A full queue drops it: other processes find the work with their next poll.
        drop(self.queue.try_send(announcement));
    }
}

impl fmt::Debug for Announcements {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Announcements").finish_non_exhaustive()
    }
}

struct Listener {
    address: Address,
    wakeups: Arc<Wakeups>,
    clock: Option<Arc<SlewedClock>>,
    waiting: mpsc::Receiver<Announcement>,
    cut_off: CancellationToken,
}

impl Listener {
    async fn run(&mut self) {
        let mut backoff = Backoff::default();
        loop {
            match self.listen().await {
                Ok(client) => {
                    backoff.reset();
                    // Announcements may have been missed while no connection was listening.
                    wake_all(&self.wakeups);
                    if let Ok(()) = self.serve(&client).await {
                        return;
                    }
                }
                Err(error) => {
                    tracing::warn!(error = %ErrorChain(&error), "cannot receive announcements from other processes; polling for work instead");
                }
            }
            let pause = sleep(backoff.next_pause());
            tokio::pin!(pause);
            loop {
                tokio::select! {
                    () = &mut pause => break,
                    next = self.waiting.recv() => if next.is_none() { return },
                }
            }
        }
    }

    /// Connects and listens. A notification wakes the tasks that are waiting for it.
    async fn listen(&self) -> Result<Client, ConnectionError> {
        let wakeups = Arc::clone(&self.wakeups);
        let listening = async {
            let client = connect(&self.address, move |message| wake(&wakeups, &message)).await?;
            client.batch_execute(&format!("LISTEN {CHANNEL}")).await.map(|()| client)
        };
        within(CONNECT_TIMEOUT, &self.cut_off, listening).await
    }

    /// Sends announcements until the queue is closed. Returns an error if the connection breaks.
    async fn serve(&mut self, client: &Client) -> Result<(), ConnectionError> {
        let mut clock_tick = interval(CLOCK_INTERVAL);
        clock_tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let mut announcements = Vec::new();
            tokio::select! {
                count = self.waiting.recv_many(&mut announcements, QUEUE_CAPACITY) => if count == 0 { return Ok(()) },
                _ = clock_tick.tick() => {
                    // This also checks that the connection is alive.
                    let now = within(RESPONSE_TIMEOUT, &self.cut_off, time(client)).await?;
                    if let Some(clock) = &self.clock {
                        clock.set_reference(now);
                    }
                }
            }
            for message in messages(&announcements) {
                let parameters: [&(dyn ToSql + Sync); 2] = [&CHANNEL, &message];
                let notifying = client.execute("SELECT pg_notify($1, $2)", &parameters);
                within(RESPONSE_TIMEOUT, &self.cut_off, notifying).await?;
            }
        }
    }
}

/// Packs the announcements into as few messages as possible, without duplicates.
fn messages(announcements: &[Announcement]) -> Vec<String> {
    let mut lines: Vec<String> = announcements.iter().map(line).collect();
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

fn line(announcement: &Announcement) -> String {
    match announcement {
        Announcement::JobDue => "jobs".to_owned(),
        Announcement::PostDue => "posts".to_owned(),
        Announcement::DeliveryDue => "deliveries".to_owned(),
        Announcement::JobEnded(job_id) => format!("ended {job_id}"),
    }
}

/// Reads a line. Returns `None` for an announcement of a later version.
fn parse(line: &str) -> Option<Announcement> {
    match line {
        "jobs" => Some(Announcement::JobDue),
        "posts" => Some(Announcement::PostDue),
        "deliveries" => Some(Announcement::DeliveryDue),
        _ => line.strip_prefix("ended ").map(|job_id| Announcement::JobEnded(job_id.to_owned())),
    }
}

fn wake(wakeups: &Wakeups, message: &AsyncMessage) {
    let AsyncMessage::Notification(notification) = message else { return };
    notification.payload().lines().filter_map(parse).for_each(|announcement| wakeups.wake(&announcement));
}

fn wake_all(wakeups: &Wakeups) {
    wakeups.jobs.notify_one();
    wakeups.posts.notify_one();
    wakeups.deliveries.notify_one();
    wakeups.watched_jobs.notify_one();
}
