//! A website that the set-up can pause while a check looks, and let go on afterwards.
//!
//! The set-up brings the switch: commands, or the administration interface of a server in the same process. What a pause must do is
//! judged in `requirements`.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::BoxFuture;
use tokio::sync::{Mutex, MutexGuard};

/// Pauses a website and lets it go on, which the API cannot do. Every error is one clause.
pub trait WebsiteSwitch: Send + Sync + fmt::Debug {
    /// Pauses the website.
    fn pause(&self, website_id: String) -> BoxFuture<'_, Result<(), String>>;

    /// Lets the website go on.
    fn resume(&self, website_id: String) -> BoxFuture<'_, Result<(), String>>;
}

/// A website of the account under test that no check uses but those that pause it.
#[derive(Debug)]
pub struct PausableWebsite {
    website_id: String,
    switch: Arc<dyn WebsiteSwitch>,
    /// Whose turn it is, and nobody else's.
    turn: Mutex<()>,
    is_paused: AtomicBool,
}

impl PausableWebsite {
    /// One that is active now.
    pub fn new(website_id: String, switch: Arc<dyn WebsiteSwitch>) -> Self {
        Self { website_id, switch, turn: Mutex::default(), is_paused: AtomicBool::new(false) }
    }

    /// Which website it is.
    pub fn website_id(&self) -> &str {
        &self.website_id
    }

    /// Waits until nobody else has the website; it is active then.
    ///
    /// # Errors
    /// When whoever had it before was broken off, and the website cannot go on.
    pub async fn turn(&self) -> Result<PauseTurn<'_>, String> {
        let turn = PauseTurn { website: self, _turn: self.turn.lock().await };
        turn.resume().await?;
        Ok(turn)
    }

    /// Resumes the website, if a check that was broken off left it paused.
    ///
    /// # Errors
    /// When the switch says why it cannot.
    pub async fn restore(&self) -> Result<(), String> {
        self.turn().await.map(|_| ())
    }
}

/// The right to pause a website. Dropped while it is paused, the next turn lets it go on first.
#[derive(Debug)]
pub struct PauseTurn<'website> {
    website: &'website PausableWebsite,
    _turn: MutexGuard<'website, ()>,
}

impl PauseTurn<'_> {
    /// Pauses the website.
    ///
    /// # Errors
    /// When the switch says why it cannot.
    pub async fn pause(&self) -> Result<(), String> {
        // A switch that fails or is broken off may have done it all the same.
        self.website.is_paused.store(true, Ordering::Relaxed);
        self.website.switch.pause(self.website.website_id.clone()).await
    }

    /// Lets the website go on, if it is paused.
    ///
    /// # Errors
    /// When the switch says why it cannot.
    pub async fn resume(&self) -> Result<(), String> {
        if self.website.is_paused.load(Ordering::Relaxed) {
            self.website.switch.resume(self.website.website_id.clone()).await?;
            self.website.is_paused.store(false, Ordering::Relaxed);
        }
        Ok(())
    }
}
