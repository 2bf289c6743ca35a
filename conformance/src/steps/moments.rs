//! One moment in all its spellings.

use chrono::{DateTime, FixedOffset, SecondsFormat, Utc};
use serde_json::Value;

use crate::check::{Halt, demand};
use crate::steps;

/// A member that is a time.
pub(crate) fn moment(object: &Value, member: &str) -> Result<DateTime<Utc>, Halt> {
    let text = demand::text(object, member)?;
    let moment = DateTime::parse_from_rfc3339(text)
        .map_err(|error| Halt::fail(format!("{member} as RFC 3339"), error.to_string()))?;
    Ok(moment.to_utc())
}

/// The moment in UTC with milliseconds, as the value of a query.
pub(crate) fn in_utc(moment: DateTime<Utc>) -> String {
    steps::segment(&moment.to_rfc3339_opts(SecondsFormat::Millis, true))
}

/// The moment in other zones, and without a fraction where it has none.
pub(crate) fn spellings(moment: DateTime<Utc>) -> Vec<String> {
    let mut spelled = vec![moment.to_rfc3339_opts(SecondsFormat::Millis, true)];
    let is_whole = moment.timestamp_subsec_nanos() == 0;
    for seconds in [5 * 3_600 + 1_800, -8 * 3_600] {
        let Some(zone) = FixedOffset::east_opt(seconds) else { continue };
        let moment = moment.with_timezone(&zone);
        spelled.push(moment.to_rfc3339_opts(SecondsFormat::Millis, false));
        if is_whole {
            spelled.push(moment.to_rfc3339_opts(SecondsFormat::Secs, false));
        }
    }
    if is_whole {
        spelled.push(moment.to_rfc3339_opts(SecondsFormat::Secs, true));
    }
    // The plus of a zone must not become a space.
    spelled.iter().map(|text| steps::segment(text)).collect()
}
