//! Times, in one form everywhere.

use chrono::{DateTime, SecondsFormat, Utc};

/// A time as the API writes it, to the second: `2026-11-02T08:00:00Z`.
pub(crate) fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}
