//! A website that a check can pause and resume.
//!
//! The set-up provides the switch: commands, or the administration interface of a server in the same process.
//! `requirements` check the effects of a pause.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::BoxFuture;
use tokio::sync::{Mutex, MutexGuard};

/// Pauses and resumes a website, which the API cannot do. Every error is one clause.
pub trait WebsiteSwitch: Send + Sync + fmt::Debug {
    /// Pauses the website.
    fn pause(&self, website_id: String) -> BoxFuture<'_, Result<(), String>>;

    /// Resumes the website.
    fn resume(&self, website_id: String) -> BoxFuture<'_, Result<(), String>>;
}

/// A website of the account under test that only the checks of pausing use.
#[derive(Debug)]
pub struct PausableWebsite {
    website_id: String,
    switch: Arc<dyn WebsiteSwitch>,
    /// Held by the check whose turn it is.
    turn: Mutex<()>,
    is_paused: AtomicBool,
}

impl PausableWebsite {
    /// Returns a website that is active now.
    pub fn new(website_id: String, switch: Arc<dyn WebsiteSwitch>) -> Self {
        Self { website_id, switch, turn: Mutex::default(), is_paused: AtomicBool::new(false) }
    }

    /// Returns the id of the website.
    pub fn website_id(&self) -> &str {
        &self.website_id
    }

    /// Waits for exclusive use of the website, which is active then.
    ///
    /// # Errors
    /// Returns an error if the previous check was cancelled and the website cannot be resumed.
    pub async fn turn(&self) -> Result<PauseTurn<'_>, String> {
        let turn = PauseTurn { website: self, _turn: self.turn.lock().await };
        turn.resume().await?;
        Ok(turn)
    }

    /// Resumes the website, if a cancelled check left it paused.
    ///
    /// # Errors
    /// Returns the error of the switch.
    pub async fn restore(&self) -> Result<(), String> {
        self.turn().await.map(|_| ())
    }
}

/// The right to pause a website. If it is dropped while the website is paused, the next turn resumes the website first.
#[derive(Debug)]
pub struct PauseTurn<'website> {
    website: &'website PausableWebsite,
    _turn: MutexGuard<'website, ()>,
}

impl PauseTurn<'_> {
    /// Pauses the website.
    ///
    /// # Errors
    /// Returns the error of the switch.
    pub async fn pause(&self) -> Result<(), String> {
        // A switch that fails or is cancelled may have paused the website anyway.
        self.website.is_paused.store(true, Ordering::Relaxed);
        self.website.switch.pause(self.website.website_id.clone()).await
    }

    /// Resumes the website, if it is paused.
    ///
    /// # Errors
    /// Returns the error of the switch.
    pub async fn resume(&self) -> Result<(), String> {
        if self.website.is_paused.load(Ordering::Relaxed) {
            self.website.switch.resume(self.website.website_id.clone()).await?;
            self.website.is_paused.store(false, Ordering::Relaxed);
        }
        Ok(())
    }
}
