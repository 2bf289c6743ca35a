//! Spellings of a time in a query.

use chrono::{DateTime, FixedOffset, SecondsFormat, Utc};

use crate::steps;

/// Returns the time in UTC with milliseconds, as the value of a query.
pub(crate) fn in_utc(moment: DateTime<Utc>) -> String {
    steps::segment(&moment.to_rfc3339_opts(SecondsFormat::Millis, true))
}

/// Returns the time in several zones, and without a fraction if it is a whole second.
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
