//! Fetches the articles that hooks announce while further hooks are received.

use contentgen_sdk::types::Article;
use contentgen_sdk::{Client, Response};
use serde_json::json;
use tokio::task::{JoinError, JoinSet};

use crate::commands::article_text::markdown;
use crate::commands::raw::raw;
use crate::failure::{Exit, Failure};
use crate::output::{Screen, print};
use crate::text::{line, visible};

/// Maximum number of concurrent fetches. At this limit, further hooks and their senders wait for a fetch to end.
const MOST_FETCHES: usize = 8;

/// Result of a fetch.
type Fetched = Result<Response<Article>, contentgen_sdk::Error>;

/// Running fetches of articles. Without a client, nothing is fetched.
pub(super) struct Fetches {
    client: Option<Client>,
    running: JoinSet<Fetched>,
    failed: u64,
    screen: Screen,
}

impl Fetches {
    pub(super) fn new(client: Option<Client>, screen: Screen) -> Self {
        Self { client, running: JoinSet::new(), failed: 0, screen }
    }

    /// Returns true if no more articles may be requested until one has arrived.
    pub(super) fn is_full(&self) -> bool {
        self.running.len() >= MOST_FETCHES
    }

    /// Starts to fetch an article.
    pub(super) fn begin(&mut self, article_id: String) {
        if let Some(client) = self.client.clone() {
            self.running.spawn(async move { client.get_article(article_id).send().await });
        }
    }

    /// Prints the next article that arrives. Never ends while nothing is being fetched.
    pub(super) async fn next(&mut self) -> Result<(), Failure> {
        match self.running.join_next().await {
            Some(fetched) => self.show(fetched),
            None => std::future::pending().await,
        }
    }

    /// Prints all articles still being fetched. Fails if any could not be fetched.
    pub(super) async fn finish(mut self) -> Result<(), Failure> {
        while let Some(fetched) = self.running.join_next().await {
            self.show(fetched)?;
        }
        match self.failed {
            0 => Ok(()),
            failed => Err(Failure::new(Exit::Failed, format!("articles that could not be fetched: {failed}"))),
        }
    }

    fn show(&mut self, fetched: Result<Fetched, JoinError>) -> Result<(), Failure> {
        match fetched {
            Ok(Ok(article)) if self.screen.is_json => print(&line(&json!({ "article": raw(&article) }))),
            Ok(Ok(article)) => print(&format!("\n{}\n", visible(&markdown(&article)))),
            Ok(Err(error)) => {
                self.failed += 1;
                self.screen.complain(&Failure::from(error));
                Ok(())
            }
            Err(broken) => {
                Err(Failure::new(Exit::Failed, format!("the task that fetches an article failed: {broken}")))
            }
        }
    }
}
