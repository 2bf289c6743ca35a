//! Steps around the server's own clock: every answer tells it in `Date`, so no check depends on the clocks being set alike.
//!
//! How times are written is judged in `requirements::answers::times`, what they say in the `times` of each area.

use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};
use serde_json::Value;

use crate::check::{Context, Exchange, Halt, Request, Verdict, demand, ensure};

/// How far a time may lie from the answer that tells it: less than any zone is from UTC.
const NEAR_SECONDS: i64 = 300;

/// The server's clock when it made the answer.
pub(crate) fn date_of(exchange: &Exchange) -> Result<DateTime<Utc>, Halt> {
    let date = exchange.header("date").unwrap_or_default();
    NaiveDateTime::parse_from_str(date, "%a, %d %b %Y %H:%M:%S GMT")
        .map(|date| date.and_utc())
        .map_err(|_| Halt::inconclusive("the answer has no Date to compare with"))
}

/// The server's clock now.
pub(crate) async fn server_now(context: &Context) -> Result<DateTime<Utc>, Halt> {
    date_of(&*context.send(Request::new("get_article", "GET", "/articles/art_x")).await?)
}

/// A moment as a request writes it.
pub(crate) fn written_at(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The moment that a member tells.
pub(crate) fn moment(value: &Value, member: &str) -> Result<DateTime<Utc>, Halt> {
    let parsed = value[member].as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    parsed
        .map(|moment| moment.with_timezone(&Utc))
        .ok_or_else(|| Halt::fail(format!("a time in {member}"), demand::brief(&value[member])))
}

/// The member tells a moment within five minutes of `date`.
pub(crate) fn near(value: &Value, member: &str, date: DateTime<Utc>) -> Verdict {
    let told = moment(value, member)?;
    let is_near = (told - date).num_seconds().abs() <= NEAR_SECONDS;
    ensure(is_near, format!("{member} within five minutes of the answer's Date"), || {
        format!("{} and {}", written_at(told), written_at(date))
    })
}
