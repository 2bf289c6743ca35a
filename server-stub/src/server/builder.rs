//! The parts of a server before it starts. `start` assembles them.

use std::sync::Arc;

use super::start::start_with;
use super::{Database, Running, Settings, StartError};
use crate::domain::clock::Clock;
use crate::domain::randomness::Randomness;
use crate::generation::ArticleGenerator;
use crate::hooks::Sender;
use crate::publishing::Publisher;

/// The reference server, for programs that embed it and for tests.
#[derive(Debug, Clone, Copy)]
pub struct Server;

impl Server {
    /// Returns a builder with the contract's limits and a temporary database.
    pub fn builder() -> ServerBuilder {
        ServerBuilder {
            settings: Settings::new(Database::Temporary),
            clock: None,
            randomness: None,
            generator: None,
            publisher: None,
            hook_sender: None,
        }
    }
}

/// A server that has not started. Every part has a default.
#[derive(Debug, Clone)]
#[must_use = "nothing runs before `start`"]
pub struct ServerBuilder {
    pub(super) settings: Settings,
    pub(super) clock: Option<Arc<dyn Clock>>,
    pub(super) randomness: Option<Arc<dyn Randomness>>,
    pub(super) generator: Option<Arc<dyn ArticleGenerator>>,
    pub(super) publisher: Option<Arc<dyn Publisher>>,
    pub(super) hook_sender: Option<Sender>,
}

impl ServerBuilder {
    /// Sets every setting of the command line. [`Settings::demo`] is the shortest way to a server with accounts.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Reads the time from `clock` instead of the system's clock. Pauses between polls still use the system's clock.
    pub fn clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// Makes ids, keys, secrets, lease tokens and nonces from `randomness` instead of the system's. Servers that ever use
    /// the same database must not receive the same bytes.
    pub fn randomness(self, randomness: Arc<dyn Randomness>) -> Self {
        Self { randomness: Some(randomness), ..self }
    }

    /// Writes articles with `generator` instead of the offline writer. Its drafts are checked and assembled as usual.
    pub fn generator(self, generator: Arc<dyn ArticleGenerator>) -> Self {
        Self { generator: Some(generator), ..self }
    }

    /// Publishes through `publisher` instead of on the hosted site.
    pub fn publisher(self, publisher: Arc<dyn Publisher>) -> Self {
        Self { publisher: Some(publisher), ..self }
    }

    /// Sends hooks through `sender`. Its rules for destinations replace those of the settings, for registration too.
    pub fn hook_sender(self, sender: Sender) -> Self {
        Self { hook_sender: Some(sender), ..self }
    }

    /// Starts the server. It accepts requests when this returns.
    pub async fn start(self) -> Result<Running, StartError> {
        start_with(self).await
    }
}
