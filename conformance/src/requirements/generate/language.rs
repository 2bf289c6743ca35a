//! Language tags.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::control;
use crate::steps::send_and_discard;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.language.malformed",
            "A language that is not a well-formed tag of RFC 5646 is answered 422 with code invalid_format.",
            "RFC 5646, section 2.1; openapi.yaml, GenerateRequest language",
            language,
        )
        .drawn("texts that look like a language tag", Cases::Exactly(8), |_, draw| {
            let long = "a".repeat(1_000);
            json!(["en_US", "e", "en-", "en--US", "-en", "en-abcdefghi", "abcdefghi", long.as_str()][draw.index() % 8])
        }),
    ]
}

async fn language(context: Context, value: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Writing in no language");
    body["language"] = value;
    demand::only_field_error(
        &*send_and_discard(&context, steps::generate(&body)).await?,
        "#/language",
        "invalid_format",
    )?;
    control::ordered(&context).await
}
