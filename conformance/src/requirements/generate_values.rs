//! `POST /generate` with language tags, names and numbers at the edge of what the schema lets pass.
//!
//! Every constraint negated alone is in `generate_invalid`; dates are in `generate_dates`.

use serde_json::{Map, Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::{Exchange, Request};
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{Halt, Verdict, ensure};

const JOBS: &[Capability] = &[Capability::Jobs];
const METADATA: &str = "openapi.yaml, Metadata";

/// A name that has to be escaped in a JSON pointer, and as part of a URI.
const AWKWARD: &str = "a/b~c \u{e9}";
/// Numbers as JSON writes them, and the code that refuses them as `target_word_count`.
const NUMBERS: [(&str, &str); 6] = [
    ("3e2", "invalid_format"),
    ("1.2E3", "invalid_format"),
    ("1200.0", "invalid_format"),
    ("30000e-2", "invalid_format"),
    ("123456789012345678901234567890", "out_of_range"),
    ("-123456789012345678901234567890", "out_of_range"),
];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.language.malformed",
            "A language that is no well-formed tag of RFC 5646 is refused with 422 invalid_format.",
            "RFC 5646, section 2.1; openapi.yaml, GenerateRequest language",
            language,
        )
        .drawn("texts that look like a language tag", Cases::Exactly(8), |_, draw| {
            let long = "a".repeat(1_000);
            json!(["en_US", "e", "en-", "en--US", "-en", "en-abcdefghi", "abcdefghi", long.as_str()][draw.index() % 8])
        }),
        Requirement::must(
            "generate.metadata.empty-name",
            "An empty name in metadata is refused with 422 too_short.",
            METADATA,
            empty_name,
        ),
        Requirement::must(
            "generate.metadata.names-kept",
            "Whatever names metadata has, code points counted, they come back in the answer, the job and the article.",
            METADATA,
            names_kept,
        )
        .needs(JOBS),
        Requirement::must(
            "generate.pointer.escaped",
            "A pointer is a JSON pointer as URI fragment: ~ and / in a name are written ~0 and ~1, the rest percent-encoded.",
            "RFC 6901, sections 3 and 6; openapi.yaml, FieldError",
            pointer,
        )
        .drawn("at the top and below", Cases::Exactly(2), |_, draw| json!(draw.index() % 2)),
        Requirement::must(
            "generate.json.number-forms",
            "An integer is written without fraction and exponent, else it is refused with 422 invalid_format; one of thirty digits is out_of_range.",
            "openapi.yaml, info.description, Conventions, and FieldErrorCode",
            number,
        )
        .drawn("numbers as JSON writes them", Cases::Exactly(6), |_, draw| json!(draw.index() % NUMBERS.len())),
    ]
}

/// Sends what must be refused.
async fn sent(context: &Context, request: Request) -> Result<std::sync::Arc<Exchange>, Halt> {
    let exchange = context.send(request).await?;
    if exchange.succeeded() {
        steps::discard(context, &exchange).await?;
    }
    Ok(exchange)
}

async fn language(context: Context, value: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Writing in no language");
    body["language"] = value;
    demand::only_field_error(&*sent(&context, steps::generate(&body)).await?, "#/language", "invalid_format")
}

async fn empty_name(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Labelling without a word");
    body["metadata"] = json!({ "": "nameless" });
    let exchange = sent(&context, steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    let errors = demand::json(&exchange)?["errors"].as_array().cloned().unwrap_or_default();
    let names_it = |error: &Value| error["pointer"].as_str().is_some_and(|pointer| pointer.starts_with("#/metadata"));
    let fits = errors.len() == 1 && errors[0]["code"] == "too_short" && names_it(&errors[0]);
    ensure(fits, "exactly one entry in errors: code too_short, in metadata", || {
        Value::Array(errors.clone()).to_string()
    })
}

async fn names_kept(context: Context, _: Value) -> Verdict {
    let emoji = "\u{1f600}".repeat(40);
    let names = ["__proto__", "constructor", "a.b", "$x", "a[0]", " ", "%20", emoji.as_str()];
    let metadata: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!(*name))).collect();
    let mut body = steps::quiet_request(&context, "Labelling with any word");
    body["metadata"] = Value::Object(metadata);
    let queued = context.send(steps::generate(&body)).await?;
    demand::status(&queued, 202)?;
    demand::same("metadata of the answer", &body["metadata"], &demand::json(&queued)?["metadata"])?;
    let job = steps::finished(&context, demand::text(demand::json(&queued)?, "job_id")?).await?;
    let job = demand::json(&job)?;
    demand::same("metadata of the job", &body["metadata"], &job["metadata"])?;
    let Some(id) = job["article_id"].as_str() else {
        return Err(Halt::inconclusive("the job did not complete"));
    };
    let article = context.send(steps::get_article(id)).await?;
    demand::same("metadata of the article", &body["metadata"], &demand::json(&article)?["metadata"])
}

async fn pointer(context: Context, below: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Pointing at a name");
    let (request, wanted, code) = if below == 1 {
        body["metadata"] = json!({ AWKWARD: 7 });
        (steps::generate(&body), "/metadata/a~1b~0c \u{e9}", "invalid_format")
    } else {
        body[AWKWARD] = json!("unknown");
        let request = steps::generate(&body).header("prefer", "handling=strict");
        (request, "/a~1b~0c \u{e9}", "unknown_field")
    };
    let exchange = sent(&context, request).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    let error = &demand::json(&exchange)?["errors"][0];
    demand::same("code", &json!(code), &error["code"])?;
    let seen = error["pointer"].as_str().unwrap_or_default();
    let is_plain = seen.bytes().all(|byte| byte.is_ascii_graphic());
    let fragment = seen.strip_prefix('#').map(decoded);
    ensure(is_plain && fragment.as_deref() == Some(wanted), format!("#{wanted}, percent-encoded"), || seen.to_owned())
}

/// A URI fragment with its percent-encoding resolved.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = fragment.as_bytes();
    while let [first, more @ ..] = rest {
        let escaped = more.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &more[2..] } else { more };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn number(context: Context, case: Value) -> Verdict {
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % NUMBERS.len();
    let (text, code) = NUMBERS[index];
    let mut body = steps::quiet_request(&context, "Counting in another way");
    body["target_word_count"] = json!("{number}");
    let mut request = steps::generate(&body);
    request.body = Some(body.to_string().replace("\"{number}\"", text).into());
    demand::only_field_error(&*sent(&context, request).await?, "#/target_word_count", code)
}

#[cfg(test)]
mod tests {
    #[test]
    fn fragments_are_decoded() {
        assert_eq!(super::decoded("/a~1b~0c%20%C3%A9%"), "/a~1b~0c \u{e9}%");
    }
}
