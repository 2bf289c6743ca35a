//! Times, in one format everywhere.

use chrono::{DateTime, SecondsFormat, Utc};

/// Formats a time like the API, to the second: `2026-11-02T08:00:00Z`.
pub(crate) fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}
