//! The format of `publish_at`, and how far ahead it may be.

use chrono::Months;
use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Cases, Context, Halt, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::draws::index_of;
use crate::steps::times::{server_now, written_at};
use crate::steps::{control, operations};

/// Texts that look like a date-time of RFC 3339 but are not.
const MALFORMED: [&str; 14] = [
    "2026-11-02T08:00Z",
    "20261102T080000Z",
    "2026-W45-1T08:00:00Z",
    "2026-306T08:00:00Z",
    "2026-02-30T08:00:00Z",
    "2026-11-02T24:00:00Z",
    "2026-11-02T08:60:00Z",
    "2026-11-02T08:00:00+25:00",
    "2026-11-02T08:00:00+0100",
    "2026-11-02T08:00:00,5Z",
    "2026-11-02T08:00:00.Z",
    "2026-11-02T08:00:00Z ",
    " 2026-11-02T08:00:00Z",
    "1793606400",
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.publish-at.kept",
            "A request whose publish_at is a past time in the form of RFC 3339 is accepted, with any zone, with and without a fraction.",
            &[
                Sentence("When to publish: RFC 3339 with a zone, at most the same date next year."),
                Sentence("A time before the request means as soon as the article is ready."),
                Sentence("Times in requests may have any zone."),
                Standard("RFC 3339", "5.6"),
            ],
            publish_at,
        )
        .drawn("date-times with and without fraction and offset", Cases::Exactly(5), |_, draw| json!(draw.index())),
        Requirement::new(
            "generate.publish-at.malformed",
            "publish_at that is not RFC 3339 with a zone is answered 422 with code invalid_format: other forms of ISO 8601, days and hours that do not exist, spaces at either end, numbers.",
            &[
                Sentence("When to publish: RFC 3339 with a zone, at most the same date next year."),
                Sentence("`invalid_format`: any other broken rule, such as a wrong type, null, a malformed e-mail address or time, or a value outside a vocabulary."),
                Standard("RFC 3339", "5.6"),
                Standard("RFC 3339", "5.7"),
                Sentence("Each field has at most one entry with the same code."),
            ],
            malformed,
        )
        .drawn("texts that look like a date-time", Cases::Exactly(14), |_, draw| {
            json!(MALFORMED[draw.index() % MALFORMED.len()])
        }),
        Requirement::new(
            "generate.publish-at.one-year",
            "publish_at may be up to one year ahead: a day less is accepted, a day more is answered 422 with code out_of_range.",
            &[
                Sentence("When to publish: RFC 3339 with a zone, at most the same date next year."),
                Part("/x-limits/publish_ahead/maximum"),
                Sentence("How far ahead `publish_at` may be: the same date next year."),
                Sentence("`out_of_range`: a number or a time."),
            ],
            one_year,
        )
        .drawn("how far ahead the document allows", Cases::Exactly(1), |space, _| {
            operations::member(space.document(), "publish_at")["x-max-ahead"].clone()
        }),
    ]
}

async fn publish_at(context: Context, case: Value) -> Verdict {
    let moments = [
        "2020-02-29T23:59:59Z",
        "2020-02-29T23:59:59.123456Z",
        "2020-02-29T23:59:59+05:30",
        "2020-02-29T23:59:59.5-08:00",
        "1985-04-12T23:20:50.52Z",
    ];
    let mut body = steps::quiet_request(&context, "Airing a bedroom in winter");
    body["publish_at"] = json!(moments[index_of(&case) % moments.len()]);
    let exchange = context.send(steps::generate(&body)).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

async fn refused(context: &Context, value: &str, code: &str) -> Verdict {
    let mut body = steps::quiet_request(context, "Planning by the calendar");
    body["publish_at"] = json!(value);
    let exchange = context.send(steps::generate(&body)).await?;
    if exchange.succeeded() {
        steps::discard(context, &exchange).await?;
    }
    demand::only_field_error(&exchange, "#/publish_at", code)?;
    body["publish_at"] = json!("2020-02-29T23:59:59Z");
    control::accepted(context, steps::generate(&body)).await
}

async fn malformed(context: Context, value: Value) -> Verdict {
    refused(&context, value.as_str().unwrap_or_default(), "invalid_format").await
}

/// Returns the months in an ISO 8601 duration of years or months, such as `P1Y`.
fn months(duration: &Value) -> Option<Months> {
    let text = duration.as_str()?.strip_prefix('P')?;
    let (number, months) =
        text.strip_suffix('Y').map(|years| (years, 12)).or(text.strip_suffix('M').map(|all| (all, 1)))?;
    Some(Months::new(number.parse::<u32>().ok()?.checked_mul(months)?))
}

async fn one_year(context: Context, ahead: Value) -> Verdict {
    let now = server_now(&context).await?;
    let next = months(&ahead).and_then(|ahead| now.checked_add_months(ahead));
    let next = next.ok_or_else(|| Halt::Error(format!("the document has no usable x-max-ahead: {ahead}")))?;
    let mut body = steps::quiet_request(&context, "Planning the year");
    body["publish_at"] = json!(written_at(next - chrono::Duration::days(1)));
    let exchange = context.send(steps::generate(&body)).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await?;
    refused(&context, &written_at(next + chrono::Duration::days(1)), "out_of_range").await
}
