//! Bodies that are not JSON, and the forms of numbers.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Cases, Context, Halt, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::control;
use crate::steps::draws::index_of;
use crate::steps::send_and_discard;
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
            "generate.json.malformed",
            "A body that is not one JSON object is answered 400 invalid_json; so are duplicate names, a byte order mark, unpaired surrogates, and nesting deeper than 128.",
            &[
                Sentence("The body is not one JSON object."),
                Sentence("Duplicate names, a byte order mark, unpaired surrogate escapes and nesting deeper than 128 are refused, too."),
                Sentence("Nesting of a JSON body; the outermost object is the first level."),
                Standard("RFC 8259", "2"),
                Standard("RFC 8259", "8.1"),
            ],
            malformed,
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
            number,
        )
        .drawn("forms of a number in JSON", Cases::Exactly(6), |_, draw| json!(draw.index() % NUMBERS.len())),
    ]
}

/// Returns the maximum nesting of a body.
fn depth(space: &Space) -> usize {
    space.document().limit_number("json_depth", "maximum")
}

async fn malformed(context: Context, case: Value) -> Verdict {
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

async fn number(context: Context, case: Value) -> Verdict {
    let (text, code) = NUMBERS[index_of(&case) % NUMBERS.len()];
    let mut body = steps::quiet_request(&context, "Counting in another way");
    body["target_word_count"] = json!("{number}");
    let mut request = steps::generate(&body);
    request.body = Some(body.to_string().replace("\"{number}\"", text).into());
    demand::only_field_error(&*send_and_discard(&context, request).await?, "#/target_word_count", code)?;
    control::ordered(&context).await
}
