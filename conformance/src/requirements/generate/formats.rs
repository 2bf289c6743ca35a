//! Formats of values: exact types, language tags, and `publish_at`.

use chrono::Months;
use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Cases, Context, Halt, Requirement, Source, Verdict, demand, ensure};
use crate::steps::draws::index_of;
use crate::steps::times::{server_now, written_at};
use crate::steps::{self, control, send_and_discard};

/// Texts that look like a date-time of RFC 3339 but are not.
const MALFORMED_TIMES: [&str; 14] = [
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

const INVALID_FORMAT: Source = Sentence(
    "`invalid_format`: any other broken rule, such as a wrong type, null, a malformed e-mail address or time, or a value outside a vocabulary.",
);

const PUBLISH_AT: Source = Sentence("When to publish: RFC 3339 with a zone, at most the same date next year.");

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.forms.refused",
            "A value of another type is refused with 422, also where it could be read as the right one: true in quotation marks, 1 for true, a number in quotation marks, an empty text for an absent value, an empty list for an empty map.",
            &[
                INVALID_FORMAT,
                Sentence("One response reports all schema violations of a body, up to 100."),
                Sentence("JSON Pointer of the field in the body, as a URI fragment."),
                Part("/components/schemas/GenerateRequest/properties"),
            ],
            other_type_refused,
        )
        .drawn("values that look like valid ones", Cases::Listed(|_| forms().len()), |_, draw| json!(draw.index())),
        Requirement::new(
            "generate.forms.website-as-it-is",
            "Ids are opaque: a website_id with a space before or after it is an unknown id and is refused with 422.",
            &[
                Sentence("Ids are opaque strings, which are compared exactly, with their letter case."),
                Sentence("`website_id` in the body is unknown, or the key may not use it."),
            ],
            website_as_it_is,
        )
        .drawn("before and after", Cases::Exactly(2), |_, draw| json!(draw.index())),
        Requirement::new(
            "generate.language.malformed",
            "A language that is not a well-formed tag of RFC 5646, or an irregular tag in another letter case, is answered 422 with code invalid_format.",
            &[
                Sentence("Language of the article: a tag that is well-formed by RFC 5646."),
                Sentence("Irregular tags, such as `i-klingon`, are written as registered; in all others letter case does not matter."),
                Part("/components/schemas/GenerateRequest/properties/language/pattern"),
                Standard("RFC 5646", "2.2.9"),
                Sentence("Each field has at most one entry with the same code."),
                INVALID_FORMAT,
            ],
            language_malformed,
        )
        .drawn("texts that look like a language tag", Cases::Exactly(9), |_, draw| {
            let long = "a".repeat(1_000);
            let texts =
                ["en_US", "e", "en-", "en--US", "-en", "en-abcdefghi", "abcdefghi", "I-Klingon", long.as_str()];
            json!(texts[draw.index() % texts.len()])
        }),
        Requirement::new(
            "generate.publish-at.kept",
            "A request whose publish_at is a past time in the form of RFC 3339 is accepted, with any zone, with and without a fraction.",
            &[
                PUBLISH_AT,
                Sentence("A time before the request means as soon as the article is ready."),
                Sentence("Times in requests may have any zone."),
                Standard("RFC 3339", "5.6"),
            ],
            publish_at_kept,
        )
        .drawn("date-times with and without fraction and offset", Cases::Exactly(5), |_, draw| json!(draw.index())),
        Requirement::new(
            "generate.publish-at.malformed",
            "publish_at that is not RFC 3339 with a zone is answered 422 with code invalid_format: other forms of ISO 8601, days and hours that do not exist, spaces at either end, numbers.",
            &[
                PUBLISH_AT,
                INVALID_FORMAT,
                Standard("RFC 3339", "5.6"),
                Standard("RFC 3339", "5.7"),
                Sentence("Each field has at most one entry with the same code."),
            ],
            publish_at_malformed,
        )
        .drawn("texts that look like a date-time", Cases::Exactly(14), |_, draw| {
            json!(MALFORMED_TIMES[draw.index() % MALFORMED_TIMES.len()])
        }),
        Requirement::new(
            "generate.publish-at.one-year",
            "publish_at may be up to one year ahead: a day less is accepted, a day more is answered 422 with code out_of_range.",
            &[
                PUBLISH_AT,
                Part("/x-limits/publish_ahead/maximum"),
                Sentence("How far ahead `publish_at` may be: the same date next year."),
                Sentence("`out_of_range`: a number or a time."),
            ],
            publish_at_one_year,
        )
        .drawn("how far ahead the document allows", Cases::Exactly(1), |space, _| {
            space.document().schema("GenerateRequest")["properties"]["publish_at"]["x-max-ahead"].clone()
        }),
    ]
}

/// Fields with values that look like valid ones.
fn forms() -> Vec<(&'static str, Value)> {
    vec![
        ("auto_publish", json!("true")),
        ("auto_publish", json!("false")),
        ("auto_publish", json!(1)),
        ("auto_publish", json!(0)),
        ("auto_publish", json!("")),
        ("target_word_count", json!("300")),
        ("target_word_count", json!("")),
        ("language", json!("")),
        ("publish_at", json!("")),
        ("publish_at", json!(1_793_606_400)),
        ("keywords", json!({})),
        ("keywords", json!("")),
        ("metadata", json!([])),
        ("metadata", json!("")),
    ]
}

async fn other_type_refused(context: Context, case: Value) -> Verdict {
    let all = forms();
    let (field, value) = &all[index_of(&case) % all.len()];
    let mut body = steps::quiet_request(&context, "Taking a word for another");
    body[*field] = value.clone();
    let exchange = send_and_discard(&context, steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    let errors = demand::json(&exchange)?["errors"].as_array().cloned().unwrap_or_default();
    let pointer = format!("#/{field}");
    let is_named = !errors.is_empty() && errors.iter().all(|error| error["pointer"] == pointer.as_str());
    ensure(is_named, format!("entries in errors, all with pointer {pointer}"), || {
        Value::Array(errors.clone()).to_string()
    })?;
    control::ordered(&context).await
}

async fn website_as_it_is(context: Context, case: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Taking a house for another");
    let id = &context.facts().website_id;
    body["website_id"] = json!(if case == 0 { format!(" {id}") } else { format!("{id} ") });
    let codes = ["website_not_found", "validation_failed"];
    demand::problem(&*send_and_discard(&context, steps::generate(&body)).await?, 422, &codes)?;
    control::ordered(&context).await
}

async fn language_malformed(context: Context, value: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Writing in no language");
    body["language"] = value;
    demand::only_field_error(
        &*send_and_discard(&context, steps::generate(&body)).await?,
        "#/language",
        "invalid_format",
    )?;
    control::ordered(&context).await
}

async fn publish_at_kept(context: Context, case: Value) -> Verdict {
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

async fn publish_at_refused(context: &Context, value: &str, code: &str) -> Verdict {
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

async fn publish_at_malformed(context: Context, value: Value) -> Verdict {
    publish_at_refused(&context, value.as_str().unwrap_or_default(), "invalid_format").await
}

/// Returns the months in an ISO 8601 duration of years or months, such as `P1Y`.
fn months(duration: &Value) -> Option<Months> {
    let text = duration.as_str()?.strip_prefix('P')?;
    let (number, months) =
        text.strip_suffix('Y').map(|years| (years, 12)).or(text.strip_suffix('M').map(|all| (all, 1)))?;
    Some(Months::new(number.parse::<u32>().ok()?.checked_mul(months)?))
}

async fn publish_at_one_year(context: Context, ahead: Value) -> Verdict {
    let now = server_now(&context).await?;
    let next = months(&ahead).and_then(|ahead| now.checked_add_months(ahead));
    let next = next.ok_or_else(|| Halt::Error(format!("the document has no usable x-max-ahead: {ahead}")))?;
    let mut body = steps::quiet_request(&context, "Planning the year");
    body["publish_at"] = json!(written_at(next - chrono::Duration::days(1)));
    let exchange = context.send(steps::generate(&body)).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await?;
    publish_at_refused(&context, &written_at(next + chrono::Duration::days(1)), "out_of_range").await
}
