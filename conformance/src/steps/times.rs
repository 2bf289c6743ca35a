//! Steps for the server's own clock: every response contains it in `Date`, so no check depends on synchronized clocks.
//!
//! `requirements::answers::values` checks the format of times, and files of each area check their values.

use chrono::{DateTime, FixedOffset, NaiveDateTime, SecondsFormat, Utc};
use serde_json::Value;

use super::paths::segment;
use crate::check::{Context, Exchange, Halt, Request, Verdict, demand, ensure};

/// Maximum difference between a time and the response that contains it: less than the offset of any zone from UTC.
const NEAR_SECONDS: i64 = 300;

/// Returns the server's time when it sent the response.
pub(crate) fn date_of(exchange: &Exchange) -> Result<DateTime<Utc>, Halt> {
    let date = exchange.header("date").unwrap_or_default();
    NaiveDateTime::parse_from_str(date, "%a, %d %b %Y %H:%M:%S GMT")
        .map(|date| date.and_utc())
        .map_err(|_| Halt::inconclusive("the answer has no Date to compare with"))
}

/// Returns the server's time now.
pub(crate) async fn server_now(context: &Context) -> Result<DateTime<Utc>, Halt> {
    date_of(&*context.send(Request::new("get_article", "GET", "/articles/art_x")).await?)
}

/// Returns a time as a request writes it.
pub(crate) fn written_at(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Returns the time in a field.
pub(crate) fn moment(value: &Value, field: &str) -> Result<DateTime<Utc>, Halt> {
    let parsed = value[field].as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    parsed
        .map(|moment| moment.with_timezone(&Utc))
        .ok_or_else(|| Halt::fail(format!("a time in {field}"), demand::brief(&value[field])))
}

/// Maximum difference between the time of a new record and the `Date` of the response that first contains it.
const ONE_CLOCK_SECONDS: i64 = 30;

/// Fails as inconclusive if a gateway writes `Date` by another clock than that of the record that was just created.
pub(crate) fn ensure_one_clock(exchange: &Exchange) -> Verdict {
    let created = moment(demand::json(exchange)?, "created_at")?;
    let seconds = (date_of(exchange)? - created).num_seconds();
    if seconds.abs() > ONE_CLOCK_SECONDS {
        return Err(Halt::inconclusive(format!("the clock in Date differs from that of created_at by {seconds} s")));
    }
    Ok(())
}

/// Demands that the time in a field is within five minutes of `date`.
pub(crate) fn near(value: &Value, member: &str, date: DateTime<Utc>) -> Verdict {
    let told = moment(value, member)?;
    let is_near = (told - date).num_seconds().abs() <= NEAR_SECONDS;
    ensure(is_near, format!("{member} within five minutes of the answer's Date"), || {
        format!("{} and {}", written_at(told), written_at(date))
    })
}

/// Returns the time in UTC with milliseconds, as the value of a query.
pub(crate) fn in_utc(moment: DateTime<Utc>) -> String {
    segment(&written_at(moment))
}

/// Returns the time in several zones, and without a fraction if it is a whole second.
pub(crate) fn spellings(moment: DateTime<Utc>) -> Vec<String> {
    let mut spelled = vec![written_at(moment)];
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
    spelled.iter().map(|text| segment(text)).collect()
}
