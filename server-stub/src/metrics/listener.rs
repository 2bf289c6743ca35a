//! `GET /metrics` on a separate socket, so that metrics are never public. The text is in the format `OpenMetrics` 1.0, which
//! Prometheus has read since its version 2.5.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::queues::OwnCounts;
use super::{Metrics, queues};
use crate::domain::clock::Clock;
use crate::domain::error_chain::ErrorChain;
use crate::storage::Store;

/// Maximum time for the database to count the queues. A scraper gives up after ten seconds.
const STATISTICS_TIMEOUT: Duration = Duration::from_secs(5);
/// Media type of the text that [`render`] returns.
const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Sources of a scrape.
#[derive(Debug, Clone)]
pub struct Scrape {
    /// Counts and durations of this process.
    pub metrics: Arc<Metrics>,
    /// Counts the queues.
    pub store: Store,
    /// The time from which the age of waiting work is counted.
    pub clock: Arc<dyn Clock>,
}

/// Serves scrapes until `stop` is cancelled.
pub async fn serve(socket: TcpListener, scrape: Scrape, stop: CancellationToken) {
    let router = Router::new().route("/metrics", get(metrics).fallback(nothing)).fallback(nothing).with_state(scrape);
    let served = axum::serve(socket, router).with_graceful_shutdown(async move { stop.cancelled().await }).await;
    if let Err(error) = served {
        tracing::warn!(error = %ErrorChain(&error), "the listener of metrics failed; restart the server to scrape metrics again");
    }
}

async fn metrics(State(scrape): State<Scrape>) -> Response {
    let counted = timeout(STATISTICS_TIMEOUT, scrape.store.queue_statistics(scrape.clock.moment())).await;
    let statistics = match counted {
        Ok(Ok(statistics)) => Some(statistics),
        Ok(Err(error)) => {
            tracing::warn!(error = %ErrorChain(&error), "cannot count the queues");
            None
        }
        Err(_) => {
            tracing::warn!("counting the queues timed out");
            None
        }
    };
    let queues = queues::registry(statistics.as_ref(), &OwnCounts::of(&scrape.store), scrape.clock.steady());
    let text = render(&[scrape.metrics.registry(), &queues]);
    ([(CONTENT_TYPE, MEDIA_TYPE)], text).into_response()
}

async fn nothing() -> StatusCode {
    StatusCode::NOT_FOUND
}

/// Returns the metrics of all these registries as text. Each metric must be in one registry only.
pub(super) fn render(registries: &[&Registry]) -> String {
    let mut text = String::new();
    let written = registries.iter().try_for_each(|registry| encode_registry(&mut text, registry));
    written.and_then(|()| encode_eof(&mut text)).expect("writing to a string does not fail");
    text
}
