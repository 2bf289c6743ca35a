//! Metrics as text: `OpenMetrics` 1.0, which Prometheus has read since its version 2.5.

use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::registry::Registry;

/// Media type of the text that [`render`] returns.
pub(super) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Returns the metrics of all these registries as text. Each metric must be in one registry only.
pub(super) fn render(registries: &[&Registry]) -> String {
    let mut text = String::new();
    let written = registries.iter().try_for_each(|registry| encode_registry(&mut text, registry));
    written.and_then(|()| encode_eof(&mut text)).expect("writing to a string does not fail");
    text
}
