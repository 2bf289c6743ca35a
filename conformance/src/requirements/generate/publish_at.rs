//! How `publish_at` must be written and how far ahead it may lie.

use chrono::Months;
use serde_json::{Value, json};

use crate::check::{Cases, Context, Halt, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::times::{server_now, written_at};

const GENERATE: &str = "openapi.yaml, generate";

/// Texts that look like a date-time of RFC 3339 and are none.
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
        Requirement::must(
            "generate.publish-at.kept",
            "publish_at takes RFC 3339 with any zone; a moment in the past means as soon as it is ready.",
            GENERATE,
            publish_at,
        )
        .drawn("date-times with and without fraction and offset", Cases::Exactly(6), |_, draw| json!(draw.index())),
        Requirement::must(
            "generate.publish-at.malformed",
            "publish_at is RFC 3339 with a zone: other forms of ISO 8601, days and hours that do not exist, blanks around it and numbers are refused with 422 invalid_format.",
            "RFC 3339, section 5.6; openapi.yaml, GenerateRequest publish_at",
            malformed,
        )
        .drawn("texts that look like a date-time", Cases::Exactly(14), |_, draw| {
            json!(MALFORMED[draw.index() % MALFORMED.len()])
        }),
        Requirement::must(
            "generate.publish-at.space",
            "The grammar of RFC 3339 has a T between date and time; a blank is refused with 422 invalid_format.",
            "RFC 3339, section 5.6; openapi.yaml, GenerateRequest publish_at",
            space,
        )
        .should(),
        Requirement::must(
            "generate.publish-at.one-year",
            "publish_at may lie as far ahead as the same date next year: a day less is accepted, a day more refused with 422 out_of_range.",
            "openapi.yaml, GenerateRequest publish_at and x-limits publish_ahead",
            one_year,
        ),
    ]
}

async fn publish_at(context: Context, case: Value) -> Verdict {
    let moments = [
        "2020-02-29T23:59:59Z",
        "2020-02-29T23:59:59.123456Z",
        "2020-02-29T23:59:59+05:30",
        "2020-02-29T23:59:59.5-08:00",
        "1985-04-12T23:20:50.52Z",
        "2020-01-01t00:00:00z",
    ];
    let mut body = steps::quiet_request(&context, "Airing a bedroom in winter");
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % moments.len();
    body["publish_at"] = json!(moments[index]);
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
    demand::only_field_error(&exchange, "#/publish_at", code)
}

async fn malformed(context: Context, value: Value) -> Verdict {
    refused(&context, value.as_str().unwrap_or_default(), "invalid_format").await
}

async fn space(context: Context, _: Value) -> Verdict {
    refused(&context, "2026-11-02 08:00:00Z", "invalid_format").await
}

async fn one_year(context: Context, _: Value) -> Verdict {
    let now = server_now(&context).await?;
    let next = now.checked_add_months(Months::new(12)).ok_or_else(|| Halt::Error("no next year".to_owned()))?;
    let mut body = steps::quiet_request(&context, "Planning the year");
    body["publish_at"] = json!(written_at(next - chrono::Duration::days(1)));
    let exchange = context.send(steps::generate(&body)).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await?;
    refused(&context, &written_at(next + chrono::Duration::days(1)), "out_of_range").await
}
