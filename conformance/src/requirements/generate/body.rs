//! The body of a request: its media type, its JSON and its size.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Cases, Context, Halt, Request, Requirement, Verdict, demand};
use crate::steps::draws::index_of;
use crate::steps::{self, control, send_and_discard};
use crate::strategies::{Space, malformed_bodies};

/// Forms of a number in JSON, and the code that refuses each as `target_word_count`.
const NUMBERS: [(&str, &str); 6] = [
    ("3e2", "invalid_format"),
    ("1.2E3", "invalid_format"),
    ("1200.0", "invalid_format"),
    ("30000e-2", "invalid_format"),
    ("123456789012345678901234567890", "out_of_range"),
    ("-123456789012345678901234567890", "out_of_range"),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.media-type.charset",
            "application/json is accepted with and without charset=utf-8, in any letter case, with quotes and with spaces.",
            &[
                Sentence("A charset parameter is allowed, a `Content-Encoding` is not."),
                Sentence("JSON is UTF-8; a `charset` parameter, if any, is `utf-8`."),
                Standard("RFC 9110", "8.3.1"),
            ],
            charset,
        )
        .drawn("spellings of the media type", Cases::Exactly(5), |_, draw| json!(draw.index())),
        Requirement::new(
            "generate.media-type.required",
            "A body whose Content-Type is not application/json, or that has a Content-Encoding, is answered 415 unsupported_media_type.",
            &[
                Sentence("The body is not `application/json`, or has no Content-Type."),
                Sentence("The body is not JSON."),
                Sentence("A charset parameter is allowed, a `Content-Encoding` is not."),
                Standard("RFC 9110", "15.5.16"),
            ],
            media_type,
        )
        .drawn("other media types, none, and codings", Cases::Exactly(10), |_, draw| json!(draw.index())),
        Requirement::new(
            "generate.json.malformed",
            "A body that is not one JSON object is answered 400 invalid_json; so are duplicate names, a byte order mark, unpaired surrogates, and nesting deeper than 128.",
            &[
                Sentence("The body is not one JSON object."),
                Sentence("Duplicate names, a byte order mark, unpaired surrogate escapes and nesting deeper than 128 are refused, too."),
                Sentence("Nesting of a JSON body; the outermost object is the first level."),
                Standard("RFC 8259", "2"),
                Standard("RFC 8259", "8.1"),
            ],
            malformed_json,
        )
        .drawn(
            "truncated, doubled, deep, non-UTF-8 and other malformed bodies",
            Cases::Listed(|space| malformed_bodies("{}", depth(space)).len()),
            |space, draw| json!({ "place": draw.index(), "depth": depth(space) }),
        ),
        Requirement::new(
            "generate.json.number-forms",
            "An integer with a fraction or exponent is answered 422 with code invalid_format; one with thirty digits with code out_of_range.",
            &[
                Sentence("An integer is written in the digits 0 to 9, without fraction and exponent: `1200`, never `1200.0` or `1.2e3`."),
                Part("/x-field-errors/invalid_format/1"),
                Sentence("`out_of_range`: a number or a time."),
                Sentence("Each field has at most one entry with the same code."),
            ],
            number_forms,
        )
        .drawn("forms of a number in JSON", Cases::Exactly(6), |_, draw| json!(draw.index() % NUMBERS.len())),
        Requirement::new(
            "generate.size.too-large",
            "A body over 64 KiB is answered 413 payload_too_large.",
            &[
                Sentence("The body is larger than 64 KiB, or 16 KiB for a lead form."),
                Part("/x-limits/request_body/maximum"),
            ],
            too_large,
        )
        .drawn("sizes above the limit", Cases::Exactly(2), |space, draw| {
            json!([limit(space) + 1, limit(space) * 3 / 2][draw.index() % 2])
        }),
        Requirement::new(
            "generate.size.at-the-limit",
            "A body of exactly 64 KiB is accepted.",
            &[Part("/x-limits/request_body/maximum"), Sentence("Size of a request body.")],
            at_the_limit,
        )
        .drawn("the limit", Cases::Exactly(1), |space, _| json!(limit(space))),
    ]
}

async fn charset(context: Context, case: Value) -> Verdict {
    let spellings = [
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "Application/JSON",
        "application/json; charset=\"utf-8\"",
        "application/json ; charset=utf-8",
    ];
    let body = steps::quiet_request(&context, "Sharpening kitchen knives");
    let media_type = spellings[index_of(&case) % spellings.len()];
    let mut request = steps::generate(&body);
    request.headers = vec![("content-type".to_owned(), media_type.to_owned())];
    let exchange = context.send(request).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

async fn media_type(context: Context, case: Value) -> Verdict {
    let types = [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("text/json"),
        Some("application/jsonp"),
        Some("multipart/form-data; boundary=x"),
        Some("application/xml"),
        Some("json"),
    ];
    let mut request = steps::generate(&steps::quiet_request(&context, "Wrong media type"));
    let index = index_of(&case);
    if let Some(media_type) = types.get(index) {
        request.headers.clear();
        if let Some(media_type) = media_type {
            request = request.header("content-type", *media_type);
        }
    } else {
        request = request.header("content-encoding", if index.is_multiple_of(2) { "gzip" } else { "br" });
    }
    let exchange = send_and_discard(&context, request).await?;
    demand::problem(&exchange, 415, &["unsupported_media_type"])?;
    control::ordered(&context).await
}

/// Returns the maximum nesting of a body.
fn depth(space: &Space) -> usize {
    space.document().limit_number("json_depth", "maximum")
}

async fn malformed_json(context: Context, case: Value) -> Verdict {
    let good = steps::quiet_request(&context, "Malformed on purpose").to_string();
    let all = malformed_bodies(&good, index_of(&case["depth"]));
    let chosen = &all[index_of(&case["place"]) % all.len()];
    let mut request = steps::generate(&Value::Null);
    request.body = Some(chosen.bytes.clone().into());
    let exchange = context.send(request).await?;
    if exchange.succeeded() {
        steps::discard(&context, &exchange).await?;
    }
    demand::problem(&exchange, 400, &["invalid_json"]).map_err(|halt| match halt {
        Halt::Fail(mut finding) => {
            finding.expected = format!("{} for {}", finding.expected, chosen.name);
            Halt::Fail(finding)
        }
        other => other,
    })?;
    control::ordered(&context).await
}

async fn number_forms(context: Context, case: Value) -> Verdict {
    let (text, code) = NUMBERS[index_of(&case) % NUMBERS.len()];
    let mut body = steps::quiet_request(&context, "Counting in another way");
    body["target_word_count"] = json!("{number}");
    let mut request = steps::generate(&body);
    request.body = Some(body.to_string().replace("\"{number}\"", text).into());
    demand::only_field_error(&*send_and_discard(&context, request).await?, "#/target_word_count", code)?;
    control::ordered(&context).await
}

/// Returns the maximum size of a request body.
fn limit(space: &Space) -> usize {
    space.document().limit_number("request_body", "maximum")
}

async fn too_large(context: Context, size: Value) -> Verdict {
    let exchange = steps::send_large(&context, sized(&context, index_of(&size))).await?;
    demand::problem(&exchange, 413, &["payload_too_large"])?;
    control::accepted(&context, sized(&context, 1_000)).await
}

async fn at_the_limit(context: Context, size: Value) -> Verdict {
    let exchange = context.send(sized(&context, index_of(&size))).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

/// Returns a valid request, padded to `size` bytes with an unknown field.
fn sized(context: &Context, size: usize) -> Request {
    let mut body = steps::quiet_request(context, "As large as it may be");
    body["padding"] = json!("");
    let missing = size.saturating_sub(body.to_string().len());
    body["padding"] = json!("p".repeat(missing));
    steps::generate(&body)
}
