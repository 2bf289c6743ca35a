//! Language tags.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::control;
use crate::steps::send_and_discard;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.language.malformed",
            "A language that is not a well-formed tag of RFC 5646, or an irregular tag in another letter case, is answered 422 with code invalid_format.",
            &[
                Sentence("Language of the article: a tag that is well-formed by RFC 5646."),
                Sentence("Irregular tags, such as `i-klingon`, are written as registered; in all others letter case does not matter."),
                Part("/components/schemas/GenerateRequest/properties/language/pattern"),
                Standard("RFC 5646", "2.2.9"),
                Sentence("Each field has at most one entry with the same code."),
                Sentence("`invalid_format`: any other broken rule, such as a wrong type, null, a malformed e-mail address or time, or a value outside a vocabulary."),
            ],
            language,
        )
        .drawn("texts that look like a language tag", Cases::Exactly(9), |_, draw| {
            let long = "a".repeat(1_000);
            let texts =
                ["en_US", "e", "en-", "en--US", "-en", "en-abcdefghi", "abcdefghi", "I-Klingon", long.as_str()];
            json!(texts[draw.index() % texts.len()])
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
